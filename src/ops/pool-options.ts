/** Flags of a profile among those that a process was started with; each may have what it is set to as the next word. */
export const profileFlags = (execArgv: readonly string[]): string[] =>
  execArgv.filter((word, n) => {
    const before = execArgv[n - 1];
    const isSetBefore = before !== undefined && /^--cpu-prof-\w+$/.test(before) && !word.startsWith('-');
    return word.startsWith('--cpu-prof') || isSetBefore;
  });

/**
 * Options of every pool of threads.
 *
 * Piscina loads a thread's module by `require` first. Node 20 ends the whole process when such a thread is ended while
 * its modules are linked ("v8::Module::IsGraphAsync must be used on an instantiated module"). `import`, which piscina
 * turns to where `require` cannot load the module, stands that. A thread with options of its own does not inherit those
 * of the process. It needs source maps, and its part of a profile (bench profile).
 */
export const POOL_OPTIONS = {
  // Otherwise piscina freezes a thread before and after its task.
  atomics: 'disabled' as const,
  execArgv: [
    '--no-experimental-require-module',
    ...(process.sourceMapsEnabled ? ['--enable-source-maps'] : []),
    ...profileFlags(process.execArgv),
  ],
};
