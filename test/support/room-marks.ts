/** The last test of each file in a room; it asserts nothing. */
export const AFTER_FILE = 'teardowns of the file';
