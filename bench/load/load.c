// load: plays many tables at once over websockets, in one thread, and says how fast the server was.
//
//     cc -O2 -o load load.c
//     load PORT PIDS SECONDS PAUSE_MS whole|echo|connect [EVERY_MS] < places
//
// `places` has a line for each connection: its path and its cookie, the seats of a table one after another, SEATS of them; a third word is
// the port of its server where there are several.
// At each table one move is under way at any time; PAUSE_MS is waited before the next one. With EVERY_MS a move is meant to be made at each
// table every so often, whether the server keeps up or not, and latencies are counted from the moment at which it was meant; each connection
// says `ping` every PING_S, since the server drops who is silent.
//   whole     a seat that is waited for makes a random legal move of its view; at the end of a game all ask for another one
//   echo      any seat says any move; the server sends each seat an update
//   connect   says hello at every seat, and no more
// A move is acknowledged with its `ack` (echo: with the mover's own update), and done when every seat has an update of at least its `seq`.
// Prints one line of JSON. PIDS are the server's processes, 1,2,3, for their processor time and memory; 0 for neither.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SEATS = 4, VIEW_MAX = 16384, NAMES_MAX = 64, PIDS_MAX = 16 };

// Under load it looks at its connections only so often, as a network card gathers its interrupts. Otherwise each message of a slow server
// would pay for waking this process, and those of a fast one, which find it awake, would not.
enum { GATHER_US = 250, PING_S = 20 };
enum state { CONNECTING, SHAKING, OPEN };
enum mode { WHOLE, ECHO, JUST_CONNECT };

struct connection {
    int fd, port;
    enum state state;
    long seq;
    char *path, *cookie;
    uint8_t *kept; // the beginning of a frame whose end has not come yet
    size_t n_kept;
    char *seen; // the last update
    size_t n_seen;
};

struct table {
    struct connection seats[SEATS];
    int mover;
    long target;     // the `seq` of the move under way, 0 before its acknowledgement
    int is_moving;   // a move is under way
    int is_starting; // the next game is awaited
    long game;
    double asked, acked;
    double meant; // when its next move is meant to be made
};

static struct table *tables;
static double *due; // when each table is to move: never, while a move is under way
static int pids[PIDS_MAX], n_pids;
static int n_tables, n_open, poller, port, is_measuring, is_stopping;
static enum mode mode;
static double pause_s, every_s;
static uint64_t commands, moves, views, view_bytes, games, refused, chance = 88172645463325252ULL;
static uint32_t *acks, *lasts, *gaps;
static size_t n_times, times_max;
static uint8_t incoming[1 << 20];

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) ? 0 : t.tv_sec + t.tv_nsec * 1e-9;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static uint64_t draw(void)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    return chance ^= chance << 17;
}

static void fail(const char *format, ...)
{
    va_list words;
    va_start(words, format);
    vfprintf(stderr, format, words);
    va_end(words);
    fputc('\n', stderr);
    exit(1);
}

// what the server has used

static double cpu_of_server(void)
{
    double sum = 0;
    clockid_t clock;
    for (int i = 0; i < n_pids; i++)
        if (!clock_getcpuclockid(pids[i], &clock))
            sum += seconds_of(clock);
    return sum;
}

static long kb_of_server(void)
{
    long sum = 0;
    for (int i = 0; i < n_pids; i++) {
        char name[64], line[256];
        long kb = 0;
        snprintf(name, sizeof name, "/proc/%d/status", pids[i]);
        FILE *file = fopen(name, "r");
        while (file && fgets(line, sizeof line, file))
            sscanf(line, "VmRSS: %ld", &kb);
        if (file)
            fclose(file);
        sum += kb;
    }
    return sum;
}

// talking

static void say(struct connection *to, const char *format, ...)
{
    char text[256];
    uint8_t frame[272], mask[4];
    va_list words;
    va_start(words, format);
    int n = vsnprintf(text, sizeof text, format, words), at = 0;
    va_end(words);
    frame[at++] = 0x81;
    frame[at++] = 0x80 | (n < 126 ? n : 126);
    if (n >= 126) {
        frame[at++] = n >> 8;
        frame[at++] = n & 255;
    }
    uint32_t drawn = (uint32_t)draw();
    memcpy(mask, &drawn, 4);
    memcpy(frame + at, mask, 4);
    at += 4;
    for (int i = 0; i < n; i++)
        frame[at + i] = text[i] ^ mask[i & 3];
    if (send(to->fd, frame, at + n, MSG_NOSIGNAL | MSG_DONTWAIT) != at + n)
        fail("%s: not sent: %s", to->path, strerror(errno));
}

static const char *find(const char *text, size_t n, const char *word)
{
    const char *found = memmem(text, n, word, strlen(word));
    return found ? found + strlen(word) : NULL;
}

static long number(const char *text, size_t n, const char *word, long otherwise)
{
    const char *found = find(text, n, word);
    return found ? strtol(found, NULL, 10) : otherwise;
}

// Splits a list of words, such as ["take","beat 7h 8h"], that stands behind `name`.
static int words_of(const struct connection *seat, const char *name, const char **words, int *sizes)
{
    const char *at = find(seat->seen, seat->n_seen, name), *end = seat->seen + seat->n_seen;
    int count = 0;
    while (at && at < end && *at == '"' && count < NAMES_MAX) {
        const char *stop = memchr(at + 1, '"', end - at - 1);
        words[count] = at + 1;
        sizes[count++] = stop - at - 1;
        at = stop[1] == ',' ? stop + 2 : end;
    }
    return count;
}

static int is_waited_for(const struct connection *seat, int number)
{
    const char *at = find(seat->seen, seat->n_seen, "\"waiting\":[");
    for (; at && *at != ']'; at++)
        if (*at == '0' + number)
            return 1;
    return 0;
}

static int is_in_phase(const struct connection *seat, const char *phase)
{
    const char *found = find(seat->seen, seat->n_seen, "\"phase\":\"");
    return found && !strncmp(found, phase, strlen(phase));
}

// playing

static void ask_again(struct table *table)
{
    for (int i = 0; i < SEATS; i++)
        say(&table->seats[i], "{\"t\":\"again\",\"id\":\"a%lu\",\"game\":%ld}", (unsigned long)++commands, table->game);
    table->game++;
    table->is_starting = 1;
    due[table - tables] = HUGE_VAL;
    games += is_measuring;
}

static void move(struct table *table)
{
    const char *words[NAMES_MAX];
    int sizes[NAMES_MAX], first = draw() % SEATS;
    if (mode == WHOLE && is_in_phase(&table->seats[0], "OVER")) {
        ask_again(table);
        return;
    }
    table->is_moving = 1;
    due[table - tables] = HUGE_VAL;
    table->target = 0;
    table->asked = every_s ? table->meant : now();
    if (mode == ECHO) {
        table->mover = first;
        table->target = table->seats[0].seq + 1;
        say(&table->seats[first], "{\"t\":\"play\",\"id\":\"m%lu\",\"move\":\"attack 7h\",\"bout\":1}", (unsigned long)++commands);
        return;
    }
    for (int i = 0; i < SEATS; i++) {
        int seat = (first + i) % SEATS, count;
        struct connection *mover = &table->seats[seat];
        if (!is_waited_for(mover, seat) || !(count = words_of(mover, "\"legal\":[", words, sizes)))
            continue;
        int chosen = draw() % count;
        table->mover = seat;
        say(mover, "{\"t\":\"play\",\"id\":\"m%lu\",\"move\":\"%.*s\",\"bout\":%ld}", (unsigned long)++commands, sizes[chosen],
            words[chosen], number(mover->seen, mover->n_seen, "\"bout_no\":", 0));
        return;
    }
    fail("%s: nobody can move in %.*s", table->seats[0].path, (int)table->seats[0].n_seen, table->seats[0].seen);
}

static int have_all(const struct table *table, long seq)
{
    int count = 0;
    while (count < SEATS && table->seats[count].seq >= seq)
        count++;
    return count == SEATS;
}

static void go_on(struct table *table, double at)
{
    if (table->is_moving && table->target && table->acked && have_all(table, table->target)) {
        table->is_moving = 0;
        if (is_measuring) {
            moves++;
            if (n_times < times_max) {
                acks[n_times] = (table->acked - table->asked) * 1e6;
                lasts[n_times] = (at - table->asked) * 1e6;
                gaps[n_times++] = (at - table->acked) * 1e6;
            }
        }
    } else if (table->is_starting) {
        for (int i = 0; i < SEATS; i++)
            if (!is_in_phase(&table->seats[i], "OPENING") || table->seats[i].seq != table->seats[0].seq)
                return;
        table->is_starting = 0;
    } else {
        return;
    }
    table->acked = 0;
    if (every_s && !table->is_moving)
        table->meant += every_s;
    due[table - tables] = every_s ? table->meant : at + pause_s;
    if (!is_stopping && !pause_s && !every_s)
        move(table);
}

static void hear(struct table *table, int seat, const char *text, size_t n, double at)
{
    struct connection *from = &table->seats[seat];
    if (!strncmp(text, "{\"t\":\"update\"", 13) || !strncmp(text, "{\"t\":\"welcome\"", 14)) {
        if (text[6] == 'w') {
            n_open++;
            table->game = number(text, n, "\"game\":", 0);
            if (mode != ECHO && number(text, n, "\"seat\":", -1) != seat)
                fail("%s: not welcomed to seat %d: %.*s", from->path, seat, (int)n, text);
        } else if (is_measuring) {
            views++;
            view_bytes += n;
        }
        from->seq = number(text, n, "\"seq\":", 0);
        from->n_seen = n;
        if (n >= VIEW_MAX)
            fail("an update of %zu bytes", n);
        memcpy(from->seen, text, n);
        from->seen[n] = 0;
        if (mode == ECHO && table->is_moving && seat == table->mover)
            table->acked = at;
    } else if (!strncmp(text, "{\"t\":\"ack\"", 10)) {
        if (table->is_moving && seat == table->mover) {
            table->acked = at;
            table->target = number(text, n, "\"seq\":", 0);
            if (from->seq >= table->target)
                fail("%s: the update came before the acknowledgement", from->path);
        }
    } else if (every_s && !strncmp(text, "{\"t\":\"refused\"", 14)) {
        // The table's clock has moved meanwhile: the next move is meant later.
        table->is_moving = 0;
        refused += is_measuring;
        due[table - tables] = table->meant += every_s;
    } else if (strncmp(text, "{\"t\":\"presence\"", 15) && strncmp(text, "{\"t\":\"pong\"", 11)) {
        fail("%s: %.*s", from->path, (int)n, text);
    }
    go_on(table, at);
}

static void read_from(struct table *table, int seat)
{
    struct connection *from = &table->seats[seat];
    memcpy(incoming, from->kept, from->n_kept);
    ssize_t n = recv(from->fd, incoming + from->n_kept, sizeof incoming - from->n_kept, MSG_DONTWAIT);
    if (n <= 0) {
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        fail("%s: the connection has been closed", from->path);
    }
    double at = now();
    uint8_t *next = incoming, *end = incoming + from->n_kept + n;
    if (from->state == SHAKING) {
        uint8_t *head = memmem(next, end - next, "\r\n\r\n", 4);
        if (head) {
            if (!memmem(next, head - next, " 101 ", 5))
                fail("%s: %.*s", from->path, (int)(head - next), next);
            next = head + 4;
            from->state = OPEN;
            say(from, "{\"t\":\"hello\",\"v\":1}");
        }
    }
    while (from->state == OPEN && end - next >= 4) {
        size_t size = next[1] & 127, header = 2;
        if (size == 126) {
            size = next[2] << 8 | next[3];
            header = 4;
        }
        if (size == 127 || next[0] != 0x81)
            fail("%s: an odd frame %02x %02x", from->path, next[0], next[1]);
        if ((size_t)(end - next) < header + size)
            break;
        hear(table, seat, (char *)next + header, size, at);
        next += header + size;
    }
    from->n_kept = end - next;
    from->kept = realloc(from->kept, from->n_kept + 1);
    memcpy(from->kept, next, from->n_kept);
}

static void dial(int index)
{
    struct connection *connection = &tables[index / SEATS].seats[index % SEATS];
    int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (fd < 0)
        fail("no socket: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(connection->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(fd, (struct sockaddr *)&place, sizeof place) < 0 && errno != EINPROGRESS)
        fail("not connected: %s", strerror(errno));
    connection->fd = fd;
    connection->seen = malloc(VIEW_MAX);
    struct epoll_event event = {.events = EPOLLOUT | EPOLLIN, .data.u32 = index};
    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

static void shake(struct connection *with, int index)
{
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nCookie: kozyr_guest=%s\r\n\r\n",
                     with->path, with->port, with->cookie);
    if (send(with->fd, text, n, MSG_NOSIGNAL) != n)
        fail("%s: no handshake: %s", with->path, strerror(errno));
    with->state = SHAKING;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    epoll_ctl(poller, EPOLL_CTL_MOD, with->fd, &event);
}

static void look(double most_s)
{
    static struct epoll_event events[512];
    int n = epoll_wait(poller, events, 512, most_s * 1000);
    for (int i = 0; i < n; i++) {
        int index = events[i].data.u32;
        struct connection *connection = &tables[index / SEATS].seats[index % SEATS];
        if (connection->state == CONNECTING)
            shake(connection, index);
        else
            read_from(&tables[index / SEATS], index % SEATS);
    }
}

static void ping_some(double at)
{
    static double pinged;
    static unsigned next;
    double each_s = (double)PING_S / (n_tables * SEATS);
    for (pinged = pinged ? pinged : at; pinged + each_s <= at; pinged += each_s, next++) {
        struct connection *each = &tables[next / SEATS % n_tables].seats[next % SEATS];
        if (each->state == OPEN && each->n_seen)
            say(each, "{\"t\":\"ping\"}");
    }
}

// Lets everybody in, some at a time, so that the server's backlog is never full.
static void connect_all(void)
{
    int dialled = 0;
    while (n_open < n_tables * SEATS) {
        while (dialled < n_tables * SEATS && dialled - n_open < 128)
            dial(dialled++);
        if (mode != ECHO)
            ping_some(now());
        look(0.1);
    }
}

static void play_for(double seconds)
{
    double end = now() + seconds, at;
    int is_timed = pause_s || every_s;
    while ((at = now()) < end) {
        if (!is_timed)
            usleep(GATHER_US);
        for (int i = 0; is_timed && i < n_tables; i++)
            if (due[i] <= at)
                move(&tables[i]);
        if (every_s)
            ping_some(at);
        look(is_timed ? 0.001 : 0.0);
    }
}

static int by_size(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static double at_ms(uint32_t *times, double share)
{
    return n_times ? times[(size_t)(share * (n_times - 1) + 0.5)] / 1000.0 : 0;
}

int main(int argc, char **argv)
{
    char line[1024];
    if (argc != 6 && argc != 7)
        fail("usage: load PORT PIDS SECONDS PAUSE_MS whole|echo|connect [EVERY_MS]");
    port = atoi(argv[1]);
    for (char *each = strtok(argv[2], ","); each && n_pids < PIDS_MAX; each = strtok(NULL, ","))
        if (atoi(each))
            pids[n_pids++] = atoi(each);
    every_s = argc == 7 ? atof(argv[6]) / 1000 : 0;
    double seconds = atof(argv[3]);
    pause_s = atof(argv[4]) / 1000;
    mode = !strcmp(argv[5], "whole") ? WHOLE : !strcmp(argv[5], "echo") ? ECHO : JUST_CONNECT;
    int count = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *cookie = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!cookie)
            fail("no place: %s", line);
        *cookie++ = 0;
        char *other = strchr(cookie, ' ');
        if (other)
            *other++ = 0;
        if (count % SEATS == 0) {
            tables = realloc(tables, (count / SEATS + 1) * sizeof *tables);
            memset(&tables[count / SEATS], 0, sizeof *tables);
        }
        struct connection *connection = &tables[count / SEATS].seats[count % SEATS];
        connection->path = strdup(line);
        connection->cookie = strdup(cookie);
        connection->port = other ? atoi(other) : port;
        count++;
    }
    n_tables = count / SEATS;
    due = calloc(n_tables + 1, sizeof *due);
    poller = epoll_create1(0);
    times_max = 1 << 22;
    acks = malloc(3 * times_max * sizeof *acks);
    lasts = acks + times_max;
    gaps = lasts + times_max;
    long kb_before = kb_of_server();
    double connecting = now(), connect_cpu = cpu_of_server();
    connect_all();
    connecting = now() - connecting;
    connect_cpu = cpu_of_server() - connect_cpu;
    long kb_connected = kb_of_server();
    double cpu = 0, own = 0, started = now();
    if (mode != JUST_CONNECT) {
        for (int i = 0; i < n_tables && every_s; i++)
            due[i] = tables[i].meant = now() + draw() % 1000 / 1000.0 * every_s;
        for (int i = 0; i < n_tables && !pause_s && !every_s; i++)
            move(&tables[i]);
        play_for(seconds * 0.2);
        is_measuring = 1;
        started = now();
        cpu = cpu_of_server();
        own = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        play_for(seconds);
        is_measuring = 0;
        is_stopping = 1;
    }
    double took = now() - started, used = cpu_of_server() - cpu, own_used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - own;
    uint32_t *all[] = {acks, lasts, gaps};
    for (int i = 0; i < 3; i++)
        qsort(all[i], n_times, sizeof *all[i], by_size);
    printf("{\"moves\":%lu,\"views\":%lu,\"games\":%lu,\"refused\":%lu,\"seconds\":%.3f,\"view_bytes\":%.0f,\"cpu_s\":%.3f,\"load_cpu_s\":%.3f,"
           "\"ack_ms\":%.3f,\"ack_ms_p99\":%.3f,\"last_ms\":%.3f,\"last_after_ack_ms\":%.3f,\"last_after_ack_ms_p99\":%.3f,"
           "\"connect_s\":%.3f,\"connect_cpu_s\":%.3f,\"kb_before\":%ld,\"kb_connected\":%ld,\"kb_after\":%ld}\n",
           (unsigned long)moves, (unsigned long)views, (unsigned long)games, (unsigned long)refused, took, views ? (double)view_bytes / views : 0, used, own_used,
           at_ms(acks, 0.5), at_ms(acks, 0.99), at_ms(lasts, 0.5), at_ms(gaps, 0.5), at_ms(gaps, 0.99), connecting, connect_cpu, kb_before, kb_connected,
           kb_of_server());
    return 0;
}
