-- A request that was sent again, under its own key. Until that moment at the latest it is on its way or
-- being answered. Null: it was never sent again. Once it was, the first sending does not speak for the
-- attempt alone any more.

ALTER TABLE onejob.probe ADD COLUMN replayed_until timestamptz;
