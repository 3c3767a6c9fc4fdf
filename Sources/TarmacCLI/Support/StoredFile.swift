#if Tools
import Foundation
import Tarmac

/// A file of an outbox or a cache, before it is opened: what is none gets no lock beside it.
enum StoredFile {
    /// How every file of SQLite begins (sqlite.org/fileformat2.html §1.3).
    private static let mark = Data("SQLite format 3\0".utf8)

    /// Refuses what is no database; what cannot be read here is left to who opens it. Not for a file this process has open:
    /// to close a descriptor of it would drop SQLite's locks.
    ///
    /// - Parameter mayBeEmpty: whether it may be made a database.
    static func check(_ path: String, mayBeEmpty: Bool = false) throws(TarmacError) {
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard let beginning = try? file.read(upToCount: mark.count) ?? Data(), beginning != mark, !(mayBeEmpty && beginning.isEmpty) else { return }
        throw TarmacError(
            .storeFailed, "the file \"\(CacheReport.shown(path))\" is no SQLite database", suggestion: "name the file the app, or --cache, keeps it in")
    }
}
#endif
