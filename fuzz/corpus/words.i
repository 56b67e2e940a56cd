int async, await = 1; struct spawn { int yield, run; } atomic; typedef int task;
static void try(int catch) { int finally = catch; throw: if (finally) goto throw; }
enum race { scope, shield }; int defer(int job) { return job + atomic.yield; } task t; void yield(void) { try(1); }
