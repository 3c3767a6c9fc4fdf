#if !SQLite
/// The database of TarmacSQLite; without it nothing else of it can be used.
@available(*, unavailable, message: "enable the trait SQLite of the package tarmac")
public final class SQLiteDatabase {}
#endif
