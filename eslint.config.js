import tseslint from 'typescript-eslint';

/** Names with one of these words: docs/internals/glossary.md has the field's own word for each. */
const pictures = (words) =>
  words.flatMap((word) => {
    const [first, rest] = [word[0], word.slice(1)];
    const name = `/(^${first}|(^|[a-z0-9_])${first.toUpperCase()}|_${first})${rest}s?($|[A-Z0-9_])|(^|_)${word.toUpperCase()}S?($|_)/`;
    const message = `"${word}" is a picture: docs/internals/glossary.md has the word for it.`;
    return ['Identifier', 'PrivateIdentifier'].map((kind) => ({ selector: `${kind}[name=${name}]`, message }));
  });

const PICTURES = ['door', 'desk', 'teller', 'voids', 'exits', 'farewell', 'lastWords', 'told', 'haunted'];
const MAILS = ['mail', 'letter', 'inbox'];

const SPREAD_LITERAL = {
  selector: 'SpreadElement > ObjectExpression',
  message: 'A spread of a literal hides excess properties from the compiler: write its properties in place.',
};

/** Types do the heavy lifting; the rules here forbid what the house forbids: dropped promises, `any`, dead code. */
export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'node_modules/',
      '.data/',
      '.tap/',
      '**/*.generated.ts',
      '*.cjs',
      '**/*.mjs',
      'eslint.config.js',
    ],
  },
  ...tseslint.configs.strict,
  {
    languageOptions: {
      parserOptions: { project: ['tsconfig.json', 'web/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  { rules: { 'no-restricted-syntax': ['error', SPREAD_LITERAL] } },
  {
    files: ['src/**', 'workers/**'],
    rules: { 'no-restricted-syntax': ['error', SPREAD_LITERAL, ...pictures(PICTURES)] },
  },
  {
    files: ['src/shard/**', 'src/gateway/**', 'src/table/**'],
    rules: { 'no-restricted-syntax': ['error', SPREAD_LITERAL, ...pictures([...PICTURES, ...MAILS])] },
  },
  { files: ['src/**', 'workers/**', 'web/**'], rules: { 'max-lines': ['error', 400] } },
  {
    files: ['bench/**', 'examples/**', 'test/**', 'src/**/cli.ts', 'sdk/generator/cli.ts', 'src/arena/**'],
    rules: { 'no-console': 'off' },
  },
);
