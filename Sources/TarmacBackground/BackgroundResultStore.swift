#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacSupport
import TarmacTransfer

/// Stores the results of a background session while no call waits for them: bodies with their heads, and resume data. Only this user
/// may enter the folder; a body keeps the mode that the system gave its file.
///
/// All are in one folder, on the volume of the system's temporary files, so that a body is moved and not copied.
package struct BackgroundResultStore: Sendable {
    private struct Head: Codable {
        var status: Int
        // The fields of a file are counted before they become `HTTPFields`.
        var headers: [HTTPField]
        var isDecoded: Bool
        /// The URL that the response came from, if redirects led away from that of the request.
        var url: String?
    }

    /// A head that was read.
    private struct SoundHead {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let isDecoded: Bool
        let url: String?

        init(_ bytes: [UInt8]) throws(UnusableContent) {
            guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)), (100...999).contains(head.status) else {
                throw UnusableContent("is damaged")
            }
            var headers = HTTPFields()
            do { for field in head.headers { try headers.add(field) } } catch { throw UnusableContent("has too many fields") }
            (status, self.headers, isDecoded, url) = (HTTPResponse.Status(code: head.status), headers, head.isDecoded, head.url)
        }
    }
    let folder: String

    /// - Throws: `.unwritableFile` if the folder cannot be created.
    package init(folder: String) throws(TarmacError) {
        guard FileDescriptor.makeFolder(folder) else {
            throw TarmacError(.unwritableFile, "the folder \"\(folder)\" cannot be made: \(FileDescriptor.lastError)")
        }
        self.folder = folder
    }

    /// Moves a body into the folder. Its head is written last: a body without a head counts as missing. The mark of an upload goes
    /// after that, so that a kill in between loses nothing.
    ///
    /// - Parameter url: The URL that the response came from, if redirects led away from that of the request.
    package func put(
        _ label: BackgroundLabel, status: HTTPResponse.Status, headers: HTTPFields, isDecoded: Bool, from url: String? = nil, body path: String
    ) throws(TarmacError) {
        for part in [Part.head, .body, .rest] { FileDescriptor.removeFile(place(label, part)) }
        guard FileDescriptor.renameFile(path, to: place(label, .body)) else {
            throw TarmacError(.unwritableFile, phase: .receiving, "the response cannot be stored in \"\(folder)\": \(FileDescriptor.lastError)")
        }
        do {
            let head = try JSONEncoder().encode(Head(status: status.code, headers: Array(headers), isDecoded: isDecoded, url: url))
            try file(label, .head).write([UInt8](head))
        } catch {
            throw error as? TarmacError ?? TarmacError(.unwritableFile, phase: .receiving, "the response cannot be stored in \"\(folder)\"", cause: error)
        }
        if label.isUpload { forgetSending(label) }
    }

    /// Returns the stored response to a request. Its body removes itself from the folder when it has been read.
    ///
    /// - Throws: `.redirectRefused` if it came from a foreign origin; it is then removed.
    package func response(_ label: BackgroundLabel, to request: Request) throws(TarmacError) -> Response? {
        guard let head = try? head(label), let length = length(label) else { return nil }
        let url: HTTPURL
        do { url = try BackgroundPolicy.end(of: request, at: head.url) } catch {
            remove(label)
            throw error
        }
        let path = place(label, .body)
        let stream = ByteStream { [self] in StoredBody(FileSlice(path: path, 0..<length)) { remove(label) } }
        var response = Response(status: head.status, headers: head.headers, body: .stream(stream), url: url)
        if head.isDecoded { response.isDecoded = true }
        return response
    }

    /// Returns the stored response of a completed call.
    ///
    /// - Throws: `.connectionLost` if it is missing, `.redirectRefused` if it came from a foreign origin.
    package func landed(_ label: BackgroundLabel, _ request: Request) throws(TarmacError) -> Response {
        guard let response = try response(label, to: request) else {
            throw TarmacError(.connectionLost, phase: .receiving, "the stored response to \(request) is gone")
        }
        return response
    }

    /// Whether a response has come, also one that cannot be read now. A damaged head is set aside: the download then begins again, and the
    /// outcome of the upload is not known.
    package func has(_ label: BackgroundLabel) -> Bool {
        if FileDescriptor.isMissing(place(label, .body)) { return false }
        do { return try head(label) != nil } catch { return error.cause(as: UnusableContent.self) == nil }
    }

    package func keep(_ resumeData: Data, for label: BackgroundLabel) {
        // Best effort: without the data, the download starts from the beginning.
        try? file(label, .rest).write([UInt8](resumeData))
    }

    /// Returns the resume data of an interrupted task, and removes it.
    package func takeResumeData(_ label: BackgroundLabel) -> Data? {
        defer { FileDescriptor.removeFile(place(label, .rest)) }
        return (try? file(label, .rest).read()).map { Data($0) }
    }

    package func remove(_ label: BackgroundLabel) {
        for part in Part.allCases { FileDescriptor.removeFile(place(label, part)) }
    }

    /// Removes the files of downloads that are finished or forgotten, and those of uploads that no call took for 30 days.
    ///
    /// - Parameter tasks: The uploads that have tasks.
    package func sweep(known keys: Set<String>, tasks: Set<BackgroundLabel> = [], now: Double = Date().timeIntervalSince1970) {
        let running = Set(tasks.map(\.fileName))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.dropFirst(64).first == "-" {
            let path = "\(folder)/\(name)", owner = name.prefix { $0 != "." }
            if !owner.dropFirst(65).hasPrefix(BackgroundLabel.uploadSuffix) {
                if !keys.contains(String(name.prefix(64))) { FileDescriptor.removeFile(path) }
            } else if !running.contains(String(owner)), let changed = FileDescriptor.inodeChanged(path), changed < now - 30 * 86_400 {
                FileDescriptor.removeFile(path)
            }
        }
    }

    enum Part: String, CaseIterable {
        case head, body, rest
        /// Of an upload: the mark that a task was made, the file with its body, and the response while it arrives.
        case sent, send, coming
    }

    /// A file that is replaced as a whole. Resume data grows with the number of header fields; 1 MiB is far above it.
    func file(_ label: BackgroundLabel, _ part: Part) -> PrivateFile<TarmacError> {
        PrivateFile(place(label, part), maximumSize: 1 << 20) {
            TarmacError(.unwritableFile, phase: .receiving, "the file of a background transfer \($0)", cause: $1)
        }
    }

    func place(_ label: BackgroundLabel, _ part: Part) -> String { "\(folder)/\(label.fileName).\(part.rawValue)" }

    private func head(_ label: BackgroundLabel) throws(TarmacError) -> SoundHead? {
        do { return try file(label, .head).read { bytes throws(UnusableContent) in try SoundHead(bytes) } } catch {
            // The response has come, so the server has acted.
            if label.isUpload, error.cause(as: UnusableContent.self) != nil { try? markSent(label) }
            throw error
        }
    }

    private func length(_ label: BackgroundLabel) -> Int64? {
        let descriptor = FileDescriptor.openWithoutFollowing(place(label, .body))
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        return FileDescriptor.size(descriptor)
    }
}

/// A stored body, which is removed once it has been read to its end.
private final class StoredBody: ByteStreamSource {
    private let slice: FileSlice
    private let ended: @Sendable () -> Void

    init(_ slice: FileSlice, ended: @escaping @Sendable () -> Void) {
        self.slice = slice
        self.ended = ended
    }

    func next() async throws -> Bytes? {
        let chunk = try await slice.next()
        if chunk == nil { ended() }
        return chunk
    }
}
