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
            """
        ])
}
#endif
