@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// A writer of a file that is not yet in the store.
final class FileCacheWriter: CacheWriter {
    private struct State {
        var descriptor: Int32
        var written: Int64
        /// The bytes that the store counts for this file.
        var reserved: Int64 = 0
        var checksum = Checksum()
    }
    private let store: FileCacheStore
    private let partial: String
    private let limit: Int64
    /// Whether the entry replaces itself. The store counts its bytes already.
    private let updates: Bool
    private let state: Locked<State>

    init(_ store: FileCacheStore, _ descriptor: Int32, _ partial: String, limit: Int64, updates: Bool) {
        self.store = store
        self.partial = partial
        self.limit = limit
        self.updates = updates
        state = Locked(State(descriptor: descriptor, written: 0))
    }

    func append(_ chunk: Bytes) async throws { try write(chunk) }

    func write(_ chunk: Bytes) throws(TarmacError) {
        guard reserve(Int64(chunk.count)) else { throw .bodyTooLarge(limit: Int(clamping: limit)) }
        let isWritten = try state.withLock { state throws(TarmacError) -> Bool in
            guard state.written + Int64(chunk.count) <= limit else { throw .bodyTooLarge(limit: Int(clamping: limit)) }
            guard CacheFile.write(chunk, to: state.descriptor, at: state.written) else { return false }
            state.checksum.add(chunk)
            state.written += Int64(chunk.count)
            return true
        }
        if !isWritten { throw store.failed() }
    }

    /// Counts the bytes in the store's limit, until the file is published or given up.
    private func reserve(_ count: Int64) -> Bool {
        if updates { return true }
        guard store.reserve(count) else { return false }
        state.withLock { $0.reserved += count }
        return true
    }

    private func release() {
        let reserved = state.withLock { state in
            defer { state.reserved = 0 }
            return state.reserved
        }
        if reserved > 0 { store.release(reserved) }
    }

    func publish(_ entry: CacheEntry) async throws -> Bool { try finish(entry) }

    func finish(_ entry: CacheEntry) throws(TarmacError) -> Bool {
        defer { release() }
        let (descriptor, length, checksum) = state.withLock { state in
            defer { state.descriptor = -1 }
            return (state.descriptor, state.written, state.checksum)
        }
        guard descriptor >= 0 else { return false }
        var entry = entry
        entry.bodyLength = length
        let size = CacheFile.finish(descriptor, entry, checksum)
        FileDescriptor.closeFile(descriptor)
        guard let size else {
            FileDescriptor.removeFile(partial)
            throw store.failed()
        }
        guard size <= limit else {
            FileDescriptor.removeFile(partial)
            return false
        }
        // The store counts the whole file from here on.
        release()
        do { return try store.publish(partial, size: size, entry, updates: updates) } catch {
            FileDescriptor.removeFile(partial)
            throw error
        }
    }

    func abort() async { end() }

    private func end() {
        defer { release() }
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        guard descriptor >= 0 else { return }
        FileDescriptor.closeFile(descriptor)
        FileDescriptor.removeFile(partial)
    }

    deinit { end() }
}
