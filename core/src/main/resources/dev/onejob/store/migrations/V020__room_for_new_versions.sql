-- A job is rewritten once or twice, within moments: half of its page is kept free for that, so that no
-- index learns of it, and what is free again is used by the next. The table is no larger for it: it
-- holds no dead versions that wait for a vacuum. An attempt changes its state, which indexes know of:
-- room in its page would be of no use.
ALTER TABLE onejob.job SET (fillfactor = 50);
ALTER TABLE onejob.attempt SET (fillfactor = 100);
