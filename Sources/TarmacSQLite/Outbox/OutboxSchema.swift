#if SQLite
extension DatabaseSchema {
    /// `line` is a lane without its environment, used for lookups. The index of first entries only has entries in line,
    /// so that thousands of dead letters that do not hold their lane cost nothing. Numbers are never reused: they give
    /// the order of a lane.
    ///
    /// `turn` is a number of `OutboxTurnKind` for the first entry of a lane that may be sent now or later, and `turn_at` the
    /// date it waits for. The index over them has the next entries in their order. `outbox_size` counts the entries,
    /// because SQLite would count them one by one. The indexes over the states and the leases have all that counting those needs: the
    /// payload is in front of their columns in a row.
    static let outbox = DatabaseSchema(
        name: "outbox",
        steps: [
            """
            CREATE TABLE outbox_entry (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                environment TEXT NOT NULL,
                line TEXT NOT NULL,
                service TEXT NOT NULL,
                principal TEXT NOT NULL,
                lane TEXT NOT NULL,
                fingerprint TEXT NOT NULL UNIQUE,
                payload BLOB NOT NULL,
                is_sealed INTEGER NOT NULL,
                state TEXT NOT NULL,
                is_in_line INTEGER NOT NULL,
                created REAL NOT NULL,
                expires REAL,
                next_attempt REAL NOT NULL,
                not_before REAL,
                attempts INTEGER NOT NULL,
                arrivals INTEGER NOT NULL,
                failure BLOB,
                owner TEXT,
                leased_until REAL
            ) STRICT;
            CREATE INDEX outbox_line ON outbox_entry (environment, line, number) WHERE is_in_line = 1;
            CREATE INDEX outbox_owner ON outbox_entry (owner) WHERE owner IS NOT NULL;
            """,
            """
            ALTER TABLE outbox_entry ADD COLUMN turn INTEGER;
            ALTER TABLE outbox_entry ADD COLUMN turn_at REAL NOT NULL DEFAULT 0;
            CREATE INDEX outbox_turn ON outbox_entry (environment, turn, turn_at, number) WHERE turn IS NOT NULL;
            CREATE TABLE outbox_size (one INTEGER PRIMARY KEY CHECK (one = 1), entries INTEGER NOT NULL) STRICT;
            INSERT INTO outbox_size SELECT 1, count(*) FROM outbox_entry;
            CREATE TRIGGER outbox_added AFTER INSERT ON outbox_entry BEGIN UPDATE outbox_size SET entries = entries + 1 WHERE one = 1; END;
            CREATE TRIGGER outbox_removed AFTER DELETE ON outbox_entry BEGIN UPDATE outbox_size SET entries = entries - 1 WHERE one = 1; END;
            """,
            """
            CREATE INDEX outbox_state ON outbox_entry (state, created);
            DROP INDEX outbox_owner;
            CREATE INDEX outbox_owner ON outbox_entry (owner, leased_until) WHERE owner IS NOT NULL;
            """,
        ])
}
#endif
