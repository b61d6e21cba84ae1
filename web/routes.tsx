import { lazy } from 'preact-iso';
import type { AnyComponent } from 'preact';
import { patternOf } from './lib/paths.js';
import type { PageName } from '../src/protocol/page-paths.js';

/** Which component draws which page. Each is loaded when its page is opened. */
export const ROUTES: readonly (readonly [PageName, AnyComponent])[] = [['home', lazy(() => import('./pages/home.js'))]];

export const patterns = ROUTES.map(([name, component]) => [patternOf(name), component] as const);
