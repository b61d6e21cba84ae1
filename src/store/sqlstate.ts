/** PostgreSQL's error codes that mean something to us (appendix A of its manual). */
export const UNIQUE_VIOLATION = '23505';
export const LOCK_NOT_AVAILABLE = '55P03';
/** Raised by our own require(): a condition of the statement did not hold, and nothing was changed. */
export const REQUIREMENT = 'AP001';
