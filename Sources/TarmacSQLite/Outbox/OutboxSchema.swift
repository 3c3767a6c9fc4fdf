#if SQLite
extension DatabaseSchema {
    /// `line` is a lane without its environment, used for lookups. The index of first entries only has entries in line,
    /// so that thousands of dead letters that do not hold their lane cost nothing. Numbers are never reused: they give
    /// the order of a lane.
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
            """
        ])
}
#endif
