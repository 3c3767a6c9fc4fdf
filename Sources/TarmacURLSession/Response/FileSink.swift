import Foundation
import Tarmac

/// Writes a body to a file as it comes. Used by the session's thread alone, until it is closed.
final class FileSink: Sendable {
    fileprivate struct State {
        var descriptor: Int32
        var offset: Int64 = 0
    }

    private let path: String
    private let state: Locked<State>

    /// Throws `TarmacError(.unwritableFile)`.
    init(path: String) throws(TarmacError) {
        let descriptor = FileDescriptor.openForWriting(path)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        self.path = path
        state = Locked(State(descriptor: descriptor))
    }

    deinit { close() }

    /// Throws `TarmacError(.unwritableFile)`, on a full disk for one.
    func write(_ chunk: Data) throws(TarmacError) {
        let isWritten = state.withLock { state in
            defer { state.offset += Int64(chunk.count) }
            return chunk.withUnsafeBytes { FileDescriptor.writeAll(state.descriptor, from: $0, at: state.offset) }
        }
        guard isWritten else { throw Self.unwritable(path) }
    }

    func close() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }

    private static func unwritable(_ path: String) -> TarmacError {
        TarmacError(
            .unwritableFile, phase: .receiving, "the file \"\(path)\" cannot be written: \(FileDescriptor.lastError)")
    }
}
