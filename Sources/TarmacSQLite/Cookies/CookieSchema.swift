#if SQLite
extension DatabaseSchema {
    /// SQLite compares texts byte by byte, as names and paths of cookies are compared.
    static let cookies = DatabaseSchema(
        name: "cookie",
        steps: [
            """
            CREATE TABLE cookie_entry (
                principal TEXT NOT NULL,
                domain TEXT NOT NULL,
                path TEXT NOT NULL,
                name TEXT NOT NULL,
                is_host_only INTEGER NOT NULL,
                value TEXT NOT NULL,
                expires REAL,
                is_secure INTEGER NOT NULL,
                is_http_only INTEGER NOT NULL,
                same_site TEXT NOT NULL,
                created REAL NOT NULL,
                last_used REAL NOT NULL,
                PRIMARY KEY (principal, domain, path, name, is_host_only)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX cookie_expiry ON cookie_entry (expires) WHERE expires IS NOT NULL;
            """,
            // The number of changes, which jars of other processes look at. A later use is none. It cannot overflow.
            """
            CREATE TABLE cookie_version (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT;
            INSERT INTO cookie_version VALUES (1, 0);
            CREATE TRIGGER cookie_added AFTER INSERT ON cookie_entry BEGIN
                UPDATE cookie_version SET number = number % 1000000000000 + 1;
            END;
            CREATE TRIGGER cookie_removed AFTER DELETE ON cookie_entry BEGIN
                UPDATE cookie_version SET number = number % 1000000000000 + 1;
            END;
            CREATE TRIGGER cookie_changed AFTER UPDATE OF value, expires, is_secure, is_http_only, same_site, created ON cookie_entry BEGIN
                UPDATE cookie_version SET number = number % 1000000000000 + 1;
            END;
            """,
        ])
}
#endif
