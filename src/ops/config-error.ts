/** A setting is wrong: its message is one clear line for the operator, and the start stops there. */
export class ConfigError extends Error {}
