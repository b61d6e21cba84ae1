/** A test file that is imported after this runs on processes of their own, as TEST_NODES and TEST_FRONTS say. */
import { ForkedPlatform } from './forked-platform.js';
import { startBy } from './platform.js';

startBy((...given) => ForkedPlatform.start(...given));
