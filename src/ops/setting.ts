import Type, { type TSchema } from 'typebox';

/** The facts of a setting besides its name. */
export interface Setting<S extends TSchema = TSchema> {
  schema: S;
  /** As text, as one would write it in .env; undefined: optional without a default. */
  fallback?: string;
  /** Default in production, where it differs. */
  production?: string;
  secret?: boolean;
  /** How a text that must have a pattern looks. */
  form?: string;
  /** Without it a production server does not start. */
  neededInProduction?: boolean;
  help: string;
}

/** A setting; `fallback` is its default. */
export const setting = <S extends TSchema>(
  schema: S,
  help: string,
  fallback?: string | number,
  more: Partial<Setting> = {},
) => ({ schema, help, ...(fallback === undefined ? {} : { fallback: String(fallback) }), ...more }) as Setting<S>;

export const oneOfTexts = <T extends string[]>(...values: T) =>
  Type.Union(values.map((v) => Type.Literal(v as T[number])));
export const int = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
export const nonEmptyText = Type.String({ minLength: 1 });
export const seconds = Type.Array(int(0, 31_536_000), { minItems: 1, maxItems: 20 });
export const hour = 3_600_000;
export const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
