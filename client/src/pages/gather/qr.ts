// A square of modules as one path: a run of dark ones in a row is one rectangle.

/** Draw *modules*, rows of dark (true) and light ones, as the path of an SVG whose unit is a module. */
export function pathOf(modules: boolean[][]): string {
  return modules
    .flatMap((row, y) => runs(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
}

function runs(row: boolean[]): [number, number][] {
  const found: [number, number][] = []
  for (const [x, dark] of row.entries()) {
    const last = found.at(-1)
    if (dark && last && last[0] + last[1] === x) last[1] += 1
    else if (dark) found.push([x, 1])
  }
  return found
}
