// The constants of walls.js, for WallsTest.
import * as module from './walls.js';

export const walls = module;
