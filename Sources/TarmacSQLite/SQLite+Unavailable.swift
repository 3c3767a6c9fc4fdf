#if !SQLite
/// A database of TarmacSQLite, which needs the trait SQLite.
@available(*, unavailable, message: "enable the trait SQLite of the package tarmac")
public final class SQLiteDatabase {}
#endif
