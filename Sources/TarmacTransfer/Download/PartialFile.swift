#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// An incomplete file, which only grows and gets its name when it is complete, so that readers never see a part of it.
///
/// Its holder has a lock that ends with the process, so that no two processes write one file.
final class PartialFile: Sendable {
    struct State {
        fileprivate var descriptor: Int32
        fileprivate var length: Int64
        fileprivate var waits: [Settlement<Void>] = []

        var isClosed: Bool { descriptor < 0 }

        /// Returns a wait for the end of the file; `nil` if it is closed.
        mutating func closing() -> Settlement<Void>? {
            if isClosed { return nil }
            let wait = Settlement<Void>()
            waits.append(wait)
            return wait
        }
    }
    let path: String
    /// It outlives a file that is being closed.
    let state: Locked<State>

    /// Opens the file, or creates it.
    ///
    /// - Throws: `.unwritableFile`; `.transferInProgress` if another holder has it open.
    init(_ path: String) throws(TarmacError) {
        self.path = path
        let descriptor = FileDescriptor.openForResuming(path)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        // Between opening and locking, the previous holder may have renamed or removed the file.
        guard FileDescriptor.lock(descriptor), FileDescriptor.isFile(descriptor, at: path) else {
            FileDescriptor.closeFile(descriptor)
            throw Self.inProgress(path)
        }
        guard let length = FileDescriptor.size(descriptor) else {
            FileDescriptor.closeFile(descriptor)
            throw TarmacError(.unwritableFile, "\"\(path)\" is no regular file")
        }
        state = Locked(State(descriptor: descriptor, length: length))
    }

    deinit { close() }

    /// The number of bytes written.
    var length: Int64 { state.withLock { $0.length } }

    func append(_ chunk: Bytes) throws(TarmacError) {
        try chunk.withUnsafeBytes { pointer throws(TarmacError) in
            try state.withLock { state throws(TarmacError) in
                guard FileDescriptor.writeAll(state.descriptor, from: pointer, at: &state.length) else { throw Self.unwritable(path) }
            }
        }
    }

    /// Truncates the file to a length.
    func truncate(to length: Int64) throws(TarmacError) {
        try state.withLock { state throws(TarmacError) in
            guard state.length != length else { return }
            guard FileDescriptor.truncate(state.descriptor, to: length) else { throw Self.unwritable(path) }
            state.length = length
        }
    }

    /// Reads bytes at an offset; returns fewer than the buffer holds only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(TarmacError) -> Int {
        let count = FileDescriptor.read(state.withLock { $0.descriptor }, into: buffer, at: offset)
        guard count >= 0 else { throw TarmacError(.unreadableFile, phase: .receiving, "\"\(path)\" cannot be read: \(FileDescriptor.lastError)") }
        return count
    }

    /// Renames the file to its target, replacing an existing one: the bytes are flushed to disk, the name is changed in
    /// one step, and the folder is flushed.
    func move(to target: String, synchronizes: Bool) throws(TarmacError) {
        let descriptor = state.withLock { $0.descriptor }
        if synchronizes, !FileDescriptor.synchronize(descriptor) { throw Self.unwritable(target) }
        guard FileDescriptor.renameFile(path, to: target) else { throw Self.unwritable(target) }
        if synchronizes { FileDescriptor.synchronizeFolder(FilePlace.folder(of: target)) }
        close()
    }

    func remove() {
        FileDescriptor.removeFile(path)
        close()
    }

    /// Closes the file, which stays.
    func close() {
        let waits = state.withLock { state in
            defer { (state.descriptor, state.waits) = (-1, []) }
            // Under the lock: the next holder takes a file that is said to be closed.
            if !state.isClosed { FileDescriptor.closeFile(state.descriptor) }
            return state.waits
        }
        for wait in waits { wait.settle(.success(())) }
    }

    /// Throws `.transferInProgress` if another holder has the file open as a partial file.
    static func checkFree(_ path: String) throws(TarmacError) {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else { return }
        defer { FileDescriptor.closeFile(descriptor) }
        if !FileDescriptor.lock(descriptor) { throw inProgress(path) }
    }

    private static func inProgress(_ path: String) -> TarmacError {
        TarmacError(
            .transferInProgress, "\"\(path)\" is being written by another download of the same", suggestion: "wait for it, or give the file another name")
    }

    /// Returns the error for the last failed operation of this thread on a file.
    static func unwritable(_ path: String) -> TarmacError {
        if FileDescriptor.isOutOfSpace {
            return TarmacError(.insufficientSpace, phase: .receiving, "there is no room for \"\(path)\"", suggestion: "free some space and try again")
        }
        return TarmacError(.unwritableFile, phase: .receiving, "the file \"\(path)\" cannot be written: \(FileDescriptor.lastError)")
    }
}

/// Paths of files in the same folder.
package enum FilePlace {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns a folder as a record keeps it: below the home folder, which is that of the app's container where it has one.
    static func stored(_ folder: String) -> String {
        guard let home, folder == home || folder.hasPrefix("\(home)/") else { return folder }
        return "~\(folder.dropFirst(home.count))"
    }

    /// Returns the folder of a record.
    static func folder(stored text: String) -> String {
        guard let home, text == "~" || text.hasPrefix("~/") else { return text }
        return "\(home)\(text.dropFirst())"
    }

    private static var home: String? { ProcessInfo.processInfo.environment["HOME"].flatMap { $0.isEmpty || $0 == "/" ? nil : $0 } }

    package static func name(of path: String) -> String { path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path }

    /// Returns the path of a download: a path that ends in a slash is a folder, and the URL names the file in it.
    static func target(_ path: String, of url: HTTPURL) throws(TarmacError) -> String {
        guard path.hasSuffix("/") else { return path }
        let component = url.path.split(separator: "/").last.map(String.init) ?? ""
        guard let file = beside(path, decoded(Array(component.utf8)) ?? component) else {
            throw TarmacError(.unwritableFile, "the URL names no file for the folder \"\(path)\"", suggestion: "name the file")
        }
        return file
    }

    /// Returns text without its percent-encoding; `nil` if it is no UTF-8.
    static func decoded(_ text: [UInt8]) -> String? {
        PercentEncoding.decoded(text).withUnsafeBytes { String(validUTF8: $0) }
    }

    /// Returns the path of a file in the folder of another. A name from a store cannot lead out of the folder.
    static func beside(_ path: String, _ name: String) -> String? {
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.contains("\0") else { return nil }
        return "\(folder(of: path))/\(name)"
    }
}
