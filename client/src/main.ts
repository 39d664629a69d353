import '@fontsource-variable/nunito/wght.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { speak } from './i18n.svelte'
import { fetchPage } from './pages'
import { preferences, theme } from './preferences.svelte'
import './fonts/fonts.css'
import './styles/theme.css'
import './styles/base.css'
import './styles/cards.css'

// The page is fetched beside the reader's language.
void fetchPage(location.pathname)
// The first picture is in the reader's theme and language already.
document.documentElement.dataset.theme = theme()
void speak(preferences.language)
  .catch(() => undefined)
  .then(() => mount(App, { target: document.getElementById('app')! }))
