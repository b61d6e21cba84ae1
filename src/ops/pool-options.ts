/**
 * Options of every pool of threads.
 *
 * Piscina loads a thread's module by `require` first, and Node 20 ends the whole process when such a thread is ended
 * while its modules are being linked ("v8::Module::IsGraphAsync must be used on an instantiated module"). `import`,
 * which piscina turns to where `require` cannot load the module, stands that. A thread that is given options of its own
 * does not inherit those of the process: of these, source maps are wanted, and its part of a profile (bench:profile).
 */
export const POOL_OPTIONS = {
  // Otherwise piscina freezes a thread before and after its task.
  atomics: 'disabled' as const,
  execArgv: [
    '--no-experimental-require-module',
    ...(process.sourceMapsEnabled ? ['--enable-source-maps'] : []),
    ...process.execArgv.filter((flag) => flag.startsWith('--cpu-prof')),
  ],
};
