import tseslint from 'typescript-eslint';

/** Types do the heavy lifting; the rules here forbid what the house forbids: dropped promises, `any`, dead code. */
export default tseslint.config(
  {
    ignores: [
      'dist/',
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
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
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
  { files: ['bench/**', 'examples/**', 'test/**', 'src/**/cli.ts', 'src/arena/**'], rules: { 'no-console': 'off' } },
);
