#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacSupport
import TarmacTransfer

/// The files of uploads: their bodies, which a background session reads from files alone, the marks of tasks, and responses while they
/// arrive.
extension BackgroundResultStore {
    /// The file of a body before its task is made.
    package struct Staged: Sendable {
        package let path: String
        /// Whether the file was written for the upload; otherwise it is the app's.
        fileprivate let isDraft: Bool
    }

    private static let draftSuffix = ".draft"

    /// The largest stored response to an upload, in bytes.
    package static let largestReply: Int64 = 64 << 20

    /// Puts the body of an upload into a file. A body that is a file stays where it is.
    ///
    /// - Throws: `.unwritableFile`, `.invalidParameter` for a stream that does not have its stated length, the error of a stream.
    package func stage(_ body: Body, _ label: BackgroundLabel) async throws -> Staged {
        let content: ByteStream
        switch body.content {
        case .file(let path): return Staged(path: path, isDraft: false)
        case .none: content = ByteStream { FileSlice(.empty) }
        case .bytes(let bytes): content = ByteStream { FileSlice(bytes) }
        case .stream(let stream): content = stream
        }
        let path = "\(folder)/\(label.fileName)-\(UInt64.random(in: .min ... .max))\(Self.draftSuffix)"
        let descriptor = FileDescriptor.create(path)
        guard descriptor >= 0 else { throw unwritable(path) }
        defer { FileDescriptor.closeFile(descriptor) }
        do {
            var end: Int64 = 0
            for try await chunk in content {
                try Task.checkCancellation()
                guard chunk.withUnsafeBytes({ FileDescriptor.writeAll(descriptor, from: $0, at: &end) }) else { throw unwritable(path) }
            }
            if let length = body.length, length != end {
                throw TarmacError(.invalidParameter, phase: .sending, "the body of the upload has \(end) bytes where \(length) were stated")
            }
        } catch {
            FileDescriptor.removeFile(path)
            throw error
        }
        return Staged(path: path, isDraft: true)
    }

    /// Marks the upload as sent, before its task is made; returns the file that the task reads.
    package func markSent(_ label: BackgroundLabel, _ staged: Staged) throws(TarmacError) -> String {
        try markSent(label)
        guard staged.isDraft else { return staged.path }
        guard FileDescriptor.renameFile(staged.path, to: place(label, .send)) else { throw unwritable(staged.path) }
        return place(label, .send)
    }

    func markSent(_ label: BackgroundLabel) throws(TarmacError) {
        try file(label, .sent).write([1])
        FileDescriptor.synchronizeFolder(folder)
    }

    /// Whether a task was made for the upload, and its outcome was not stored.
    package func isSent(_ label: BackgroundLabel) -> Bool { !FileDescriptor.isMissing(place(label, .sent)) }

    /// Removes a body whose task was not made.
    package func discard(_ staged: Staged?) {
        if let staged, staged.isDraft { FileDescriptor.removeFile(staged.path) }
    }

    /// Removes the body of an upload whose task has ended.
    package func removeBody(_ label: BackgroundLabel) { FileDescriptor.removeFile(place(label, .send)) }

    /// Forgets that the upload was sent.
    package func forgetSending(_ label: BackgroundLabel) { for part in [Part.sent, .send] { FileDescriptor.removeFile(place(label, part)) } }

    /// Removes the bodies that a process which has ended was writing.
    package func removeDrafts() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(Self.draftSuffix) {
            FileDescriptor.removeFile("\(folder)/\(name)")
        }
    }

    // MARK: Responses

    /// Appends a piece of a response. The first one replaces what an earlier process has received of it.
    ///
    /// - Returns: whether it was written. A response beyond ``largestReply`` is not.
    package func append(_ piece: Data, to label: BackgroundLabel, at offset: Int64) -> Bool {
        guard offset + Int64(piece.count) <= Self.largestReply else { return false }
        let path = place(label, .coming)
        let descriptor = offset == 0 ? FileDescriptor.openForWriting(path) : FileDescriptor.openForUpdate(path)
        guard descriptor >= 0 else { return false }
        defer { FileDescriptor.closeFile(descriptor) }
        var end = offset
        return piece.withUnsafeBytes { FileDescriptor.writeAll(descriptor, from: $0, at: &end) }
    }

    /// Stores the response of an upload, whose body has arrived.
    ///
    /// - Parameter length: the number of bytes that were appended.
    package func put(
        _ label: BackgroundLabel, status: HTTPResponse.Status, headers: HTTPFields, isDecoded: Bool, from url: String? = nil, reply length: Int64
    ) throws(TarmacError) {
        if length == 0, !append(Data(), to: label, at: 0) { throw unwritable(place(label, .coming)) }
        try put(label, status: status, headers: headers, isDecoded: isDecoded, from: url, body: place(label, .coming))
    }

    /// Returns the response to an upload and removes it.
    ///
    /// - Throws: `.connectionLost` if it is missing, `.redirectRefused` if it came from a foreign origin, `.bodyTooLarge` if its body is longer than `limit`.
    package func take(_ label: BackgroundLabel, _ request: Request, limit: Int) async throws -> Response {
        var response = try landed(label, request)
        defer { remove(label) }
        guard case .stream(let stream) = response.body else { return response }
        response.body = .bytes(try await stream.collect(upTo: limit))
        return response
    }

    private func unwritable(_ path: String) -> TarmacError {
        TarmacError(.unwritableFile, phase: .sending, "the file \"\(path)\" of a background upload cannot be written: \(FileDescriptor.lastError)")
    }
}
