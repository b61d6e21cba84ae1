/** A test file that is imported after this runs on processes of their own, as TEST_NODES says. */
import { ForkedPlatform } from './forked-platform.js';
import { startBy } from './platform.js';

startBy((...given) => ForkedPlatform.start(...given));
