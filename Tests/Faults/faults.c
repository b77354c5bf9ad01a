// Loaded before the C library (LD_PRELOAD), this makes the n-th call that changes one of the chosen files fail, as a
// disk error, a user or a power cut would:
//
//   FAULT_PATH  prefix of the files' absolute paths      FAULT_AT  number of the call, from 1; 0 for none
//   FAULT_CALL  counts only these: open, write, sync, truncate, rename or unlink
//   FAULT_KIND  enospc     the call and all later writes find the disk full
//               eio        only this call fails
//               kill       the process is killed before it (SIGKILL)
//               torn       half of its data is written, then the process is killed
//               power      the process is killed, and a random part of the unsynchronised data is lost
//               change     the file FAULT_CHANGED is written to, according to FAULT_CHANGE, and the call is made
//               lost       the folder is moved away before the call
//               interrupt  the process gets SIGINT, and the call is made after it was handled
//   FAULT_LOG   a file that gets one line per call: the function, and the file's name
//   FAULT_SEED  determines the data lost by `power`

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 4096, MOST_PATH = 512 };

// The change made by a write, so that it can be undone.
typedef struct Change {
  struct Change *before;
  char path[MOST_PATH];
  off_t offset, size;  // where it wrote, and how long the file was
  size_t count;
  char old[];
} Change;

static char paths[MOST_FILES][MOST_PATH];
static Change *changes;
static const char *prefix, *kind, *counted;
static long at, calls;
static int is_full;
static FILE *events;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define SYSTEM(name, type, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

__attribute__((constructor)) static void begin(void) {
  prefix = getenv("FAULT_PATH");
  kind = getenv("FAULT_KIND");
  counted = getenv("FAULT_CALL");
  at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
  events = getenv("FAULT_LOG") ? fopen(getenv("FAULT_LOG"), "w") : NULL;
}

__attribute__((destructor)) static void end(void) {
  if (events) fclose(events);
}

static int is_ours(const char *path) {
  return prefix && kind && strncmp(path, prefix, strlen(prefix)) == 0 && !strstr(path, "log.jsonl");
}

static const char *path_of(int file) {
  return file >= 0 && file < MOST_FILES && paths[file][0] ? paths[file] : NULL;
}

static void lose_what_is_not_synchronised(void) {
  srandom(getenv("FAULT_SEED") ? atoi(getenv("FAULT_SEED")) : 1);
  for (Change *change = changes; change; change = change->before) {
    if (random() % 3 == 0) continue;  // this one had already reached the disk
    int file = SYSTEM("open", int, const char *, int, ...)(change->path, O_WRONLY);
    if (file < 0) continue;
    SYSTEM("pwrite", ssize_t, int, const void *, size_t, off_t)(file, change->old, change->count, change->offset);
    if (SYSTEM("ftruncate", int, int, off_t)(file, change->size)) {}
    close(file);
  }
}

static void (*handler)(int);
static sem_t handled;

static void handle(int number) {
  handler(number);
  sem_post(&handled);
}

// Sends SIGINT as a user does. If the program listens, returns when its handler, on any thread, has returned.
static void interrupt(void) {
  struct sigaction action;
  sigaction(SIGINT, NULL, &action);
  handler = action.sa_handler;
  int is_listening = handler != SIG_DFL && handler != SIG_IGN;
  if (is_listening) {
    sem_init(&handled, 0, 0);
    action.sa_handler = handle;
    sigaction(SIGINT, &action, NULL);
  }
  kill(getpid(), SIGINT);
  while (is_listening && sem_wait(&handled)) {}  // interrupted if the signal reached this thread: repeat
}

// Changes an input as an editor would, or a copy over it.
static void write_to_input(void) {
  const char *how = getenv("FAULT_CHANGE");
  int file = SYSTEM("open", int, const char *, int, ...)(getenv("FAULT_CHANGED"), O_RDWR);
  struct stat status;
  if (fstat(file, &status)) status.st_size = 0;
  char byte = '\n';
  off_t at = status.st_size;
  if (strcmp(how, "overwrite") == 0 && pread(file, &byte, 1, at / 2) == 1) byte ^= 1, at /= 2;
  if (strcmp(how, "truncate") == 0) {
    if (SYSTEM("ftruncate", int, int, off_t)(file, at / 2)) {}
  } else if (SYSTEM("pwrite", ssize_t, int, const void *, size_t, off_t)(file, &byte, 1, at) < 0) {}
  SYSTEM("close", int, int)(file);
}

static void lose_folder(void) {
  char away[MOST_PATH];
  snprintf(away, MOST_PATH, "%s.lost", prefix);
  SYSTEM("rename", int, const char *, const char *)(prefix, away);
}

// Counts a call; returns whether it must fail, and then sets errno. The caller holds the lock.
static int fails(const char *call, const char *path, int writes) {
  if (!path) return 0;
  int is_counted = !counted || strcmp(counted, call) == 0;
  calls += is_counted;
  if (events) fprintf(events, "%s %s\n", call, strrchr(path, '/') + 1);
  if (is_counted && calls == at && kind) {
    if (strcmp(kind, "power") == 0) lose_what_is_not_synchronised();
    if (strcmp(kind, "power") == 0 || strcmp(kind, "kill") == 0) raise(SIGKILL);
    if (strcmp(kind, "interrupt") == 0) interrupt();
    if (strcmp(kind, "change") == 0) write_to_input();
    if (strcmp(kind, "lost") == 0) lose_folder();
    if (strcmp(kind, "enospc") == 0) is_full = 1;
    if (strcmp(kind, "eio") == 0) return errno = EIO, 1;
  }
  if (is_full && writes) return errno = ENOSPC, 1;
  return 0;
}

// Releases the lock, and returns the result of the call made under it.
static ssize_t finished(ssize_t result) {
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

static void remember(int file, const char *path, off_t offset, size_t count) {
  if (strcmp(kind, "power") != 0) return;
  struct stat status;
  if (fstat(file, &status)) return;
  off_t end = offset + (off_t)count < status.st_size ? offset + (off_t)count : status.st_size;
  size_t old = end > offset ? (size_t)(end - offset) : 0;
  Change *change = malloc(sizeof(Change) + old);
  snprintf(change->path, MOST_PATH, "%s", path);
  change->before = changes;
  change->offset = offset;
  change->size = status.st_size;
  change->count = old;
  int reader = SYSTEM("open", int, const char *, int, ...)(path, O_RDONLY);
  if (pread(reader, change->old, old, offset) < 0) {}
  close(reader);
  changes = change;
}

static void forget(const char *path) {
  Change **link = &changes;
  while (*link) {
    Change *change = *link;
    if (strcmp(change->path, path) == 0) {
      *link = change->before;
      free(change);
    } else {
      link = &change->before;
    }
  }
}

static ssize_t written(int file, const void *bytes, size_t count, off_t offset, int is_placed) {
  // Without the lock, since a signal handler may write here while `interrupt` waits for it and holds the lock.
  if (!path_of(file) && !is_placed) return SYSTEM("write", ssize_t, int, const void *, size_t)(file, bytes, count);
  pthread_mutex_lock(&lock);
  const char *path = path_of(file);
  int is_torn = path && calls + 1 == at && kind && strcmp(kind, "torn") == 0;
  ssize_t result = -1;
  if (!fails("write", path, 1)) {
    off_t where = is_placed ? offset : lseek(file, 0, SEEK_CUR);
    if (path) remember(file, path, where, count);
    if (is_torn) count /= 2;
    result = is_placed
                 ? SYSTEM("pwrite", ssize_t, int, const void *, size_t, off_t)(file, bytes, count, offset)
                 : SYSTEM("write", ssize_t, int, const void *, size_t)(file, bytes, count);
    if (is_torn) raise(SIGKILL);
  }
  return finished(result);
}

// Writes the absolute form of a path to `whole`, and returns it.
static const char *resolved(const char *path, char whole[MOST_PATH]) {
  whole[0] = 0;
  if (path[0] != '/' && getcwd(whole, MOST_PATH - 1)) strcat(whole, "/");
  return strncat(whole, path, MOST_PATH - strlen(whole) - 1);
}

static int opened(const char *path, int flags, mode_t mode, const char *name) {
  char whole[MOST_PATH];
  resolved(path, whole);
  int is_changing = is_ours(whole) && (flags & O_ACCMODE) != O_RDONLY;
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!is_changing || !fails("open", whole, (flags & O_CREAT) != 0)) {
    result = SYSTEM(name, int, const char *, int, ...)(path, flags, mode);
    if (result >= 0 && result < MOST_FILES) strcpy(paths[result], is_changing ? whole : "");
  }
  return finished(result);
}

#define MODE_OF(flags, mode)            \
  mode_t mode = 0;                      \
  if (flags & O_CREAT) {                \
    va_list list;                       \
    va_start(list, flags);              \
    mode = (mode_t)va_arg(list, int);   \
    va_end(list);                       \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return opened(path, flags, mode, "open");
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return opened(path, flags, mode, "open64");
}

int close(int file) {
  if (file >= 0 && file < MOST_FILES) paths[file][0] = 0;
  return SYSTEM("close", int, int)(file);
}

ssize_t write(int file, const void *bytes, size_t count) { return written(file, bytes, count, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return written(file, bytes, count, offset, 1);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
  return written(file, bytes, count, offset, 1);
}

static int synchronised(int file, const char *name) {
  pthread_mutex_lock(&lock);
  const char *path = path_of(file);
  int result = fails("sync", path, 0) ? -1 : SYSTEM(name, int, int)(file);
  if (path && result == 0) forget(path);
  return finished(result);
}

int fsync(int file) { return synchronised(file, "fsync"); }
int fdatasync(int file) { return synchronised(file, "fdatasync"); }

int ftruncate(int file, off_t size) {
  pthread_mutex_lock(&lock);
  const char *path = path_of(file);
  if (fails("truncate", path, 0)) return finished(-1);
  int result = SYSTEM("ftruncate", int, int, off_t)(file, size);
  if (path) forget(path);  // treated as done at once: nothing after the new end is needed
  return finished(result);
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

int rename(const char *from, const char *to) {
  char whole[MOST_PATH];
  pthread_mutex_lock(&lock);
  if (is_ours(resolved(to, whole)) && fails("rename", whole, 0)) return finished(-1);
  return finished(SYSTEM("rename", int, const char *, const char *)(from, to));
}

int unlink(const char *path) {
  char whole[MOST_PATH];
  pthread_mutex_lock(&lock);
  if (is_ours(resolved(path, whole)) && fails("unlink", whole, 0)) return finished(-1);
  return finished(SYSTEM("unlink", int, const char *)(path));
}
