/** An option that npm kept for itself. */
export interface Kept {
  name: string;
  /** Null where npm made a switch of it: its value is one of the words then. */
  value: string | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The options before npm's own `--`. npm passes them on in the environment. `--port=9000` becomes npm_config_port=9000.
 * `--port 9000` becomes npm_config_port=true and the word 9000.
 */
export function keptByNpm(names: readonly string[], env: Environment): Kept[] {
  return names.flatMap((name) => {
    const value = env[`npm_config_${name.toLowerCase().replaceAll('-', '_')}`] ?? '';
    return value === '' ? [] : [{ name, value: value === 'true' ? null : value }];
  });
}

/** Always there for some, who install without being asked. */
const NPMS_OWN = 'yes';

/** The same for the options of a command that it was not given behind `--` as well. */
export const swallowed = (names: readonly string[], args: readonly string[], env: Environment): Kept[] =>
  keptByNpm(names, env).filter(
    ({ name }) => name !== NPMS_OWN && !args.some((arg) => arg.split('=')[0] === `--${name}`),
  );

/** The line that says so, with what to write instead. */
export const keptLine = (kept: readonly Kept[], instead: string): string =>
  `npm kept ${kept.map(({ name }) => `--${name}`).join(' and ')} for itself: write ${instead}`;
