#if SQLite
extension DatabaseSchema {
    /// `place` is the text of a key, or its digest in a sealed cache. A small body is in its entry's row; a large one
    /// is in chunks, which are not visible until an entry names them. Triggers keep the totals, so that they need not
    /// be counted.
    static let cache = DatabaseSchema(
        name: "cache",
        steps: [
            """
            CREATE TABLE cache_entry (
                id INTEGER PRIMARY KEY,
                place TEXT NOT NULL,
                variant TEXT NOT NULL,
                service TEXT NOT NULL,
                environment TEXT NOT NULL,
                principal TEXT NOT NULL,
                url TEXT NOT NULL,
                stored REAL NOT NULL,
                used INTEGER NOT NULL,
                size INTEGER NOT NULL,
                length INTEGER NOT NULL,
                head BLOB NOT NULL,
                body BLOB,
                body_number INTEGER
            ) STRICT;
            CREATE UNIQUE INDEX cache_entry_place ON cache_entry (place, variant);
            CREATE INDEX cache_entry_used ON cache_entry (used);
            CREATE INDEX cache_entry_url ON cache_entry (url);
            CREATE TABLE cache_tag (tag TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (tag, entry)) STRICT, WITHOUT ROWID;
            CREATE INDEX cache_tag_entry ON cache_tag (entry);
            CREATE TABLE cache_chunk (body INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
            CREATE UNIQUE INDEX cache_chunk_body ON cache_chunk (body, number);
            CREATE TABLE cache_pending (body INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, begun REAL NOT NULL) STRICT;
            CREATE TABLE cache_total (one INTEGER PRIMARY KEY CHECK (one = 1), entries INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
            INSERT INTO cache_total VALUES (1, 0, 0);
            CREATE TABLE cache_meta (name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TRIGGER cache_entry_added AFTER INSERT ON cache_entry BEGIN
                UPDATE cache_total SET entries = entries + 1, bytes = bytes + NEW.size;
            END;
            CREATE TRIGGER cache_entry_resized AFTER UPDATE OF size ON cache_entry BEGIN
                UPDATE cache_total SET bytes = bytes + NEW.size - OLD.size;
            END;
            CREATE TRIGGER cache_entry_removed AFTER DELETE ON cache_entry BEGIN
                UPDATE cache_total SET entries = entries - 1, bytes = bytes - OLD.size;
                DELETE FROM cache_chunk WHERE body = OLD.body_number;
                DELETE FROM cache_tag WHERE entry = OLD.id;
            END;
            """,
            // The owner of a body; CacheLease tells whether it is alive.
            "ALTER TABLE cache_pending ADD COLUMN owner INTEGER NOT NULL DEFAULT 0",
            // SQLite only notices damage to its own structure. Older data has no sums, and neither has data written by
            // a process of an older version.
            """
            ALTER TABLE cache_entry ADD COLUMN head_sum INTEGER;
            ALTER TABLE cache_entry ADD COLUMN body_sum INTEGER;
            ALTER TABLE cache_chunk ADD COLUMN sum INTEGER;
            CREATE TRIGGER cache_entry_rewritten AFTER UPDATE OF head ON cache_entry
            WHEN NEW.head_sum IS OLD.head_sum AND NEW.head IS NOT OLD.head BEGIN
                UPDATE cache_entry SET head_sum = NULL WHERE id = NEW.id;
            END;
            """,
        ])
}
#endif
