@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Stores the body of a call in its entry, or in a file beside the store.
struct OutboxBodyStorage {
    let rule: OutboxRule
    /// The folder for files; `nil` if there is none.
    let folder: OutboxFolder?

    enum Taken {
        case bytes(Bytes)
        case file(OutboxMutation.File)
    }

    /// Stores a body. The current content of a file is copied, and a stream is read to its end.
    func take(_ body: Body, _ id: OutboxEntry.ID, in lane: OutboxLane) async throws -> Taken {
        switch body.content {
        case .none: return .bytes(.empty)
        case .bytes(let bytes):
            try check(length: bytes.count)
            return .bytes(bytes)
        case .file(let path): return try await take(path, id, in: lane)
        case .stream(let stream): return try await take(stream, id, in: lane)
        }
    }

    private func take(_ path: String, _ id: OutboxEntry.ID, in lane: OutboxLane) async throws -> Taken {
        try await OutboxFile.copying(path) { length in
            if length > Int64(rule.maximumBodySize), let folder {
                return .file(try await folder.keep(file: path, length: length, id, in: lane, limit: rule.maximumFileBytes))
            }
            try check(length: Int(clamping: length))
            let bytes = try OutboxFile.content(of: path, upTo: rule.maximumBodySize.addingClamped(1))
            // The file may have grown in the meantime.
            try check(length: bytes.count)
            return .bytes(bytes)
        }
    }

    private func take(_ stream: ByteStream, _ id: OutboxEntry.ID, in lane: OutboxLane) async throws -> Taken {
        var pieces: [Bytes] = [], count = 0
        var writer: OutboxFileWriter?
        for try await piece in stream {
            try Task.checkCancellation()
            if let writer {
                try writer.append(piece)
                continue
            }
            pieces.append(piece)
            count += piece.count
            guard count > rule.maximumBodySize else { continue }
            guard let folder else { throw tooLarge("the body") }
            let new = try folder.writer(id, in: lane, limit: rule.maximumFileBytes)
            for piece in pieces { try new.append(piece) }
            (writer, pieces) = (new, [])
        }
        if let writer { return .file(try writer.finish()) }
        var collector = ByteCollector(limit: rule.maximumBodySize)
        for piece in pieces { try collector.append(piece) }
        return .bytes(collector.finish())
    }

    /// Checks the length of a body in an entry.
    func check(length: Int) throws(TarmacError) {
        if length > rule.maximumBodySize { throw tooLarge("the body of \(length) bytes") }
    }

    private func tooLarge(_ body: String) -> TarmacError {
        TarmacError(
            .invalidParameter, "\(body) is larger than the \(rule.maximumBodySize) bytes (maximumBodySize) an entry of the outbox keeps",
            suggestion: folder == nil
                ? "keep the outbox in a store that has a place for files, such as SQLiteOutboxStore, raise maximumBodySize, or upload it by itself"
                : "make the body a file or a stream, which is kept beside the store, or raise maximumBodySize")
    }
}
