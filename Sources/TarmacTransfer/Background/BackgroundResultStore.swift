#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import HTTPTypes
package import TarmacCore

/// Keeps what a background session brings while nobody waits for it: bodies with their heads, and what interrupted tasks can go on
/// with. In one folder, on the volume of the system's own temporary files, so that a body is moved and not copied.
package struct BackgroundResultStore: Sendable {
    private struct Head: Codable {
        var status: Int
        var headers: HTTPFields
        var isDecoded: Bool
    }
    private let folder: String

    /// - Throws: `.unwritableFile` when the folder cannot be made.
    package init(folder: String) throws(TarmacError) {
        guard FileDescriptor.makeFolder(folder) else {
            throw TarmacError(.unwritableFile, "the folder \"\(folder)\" cannot be made: \(FileDescriptor.lastError)")
        }
        self.folder = folder
    }

    /// Takes a body over. Its head is written last: without one it counts as not there, whatever ends the process.
    package func put(
        _ label: BackgroundLabel, status: HTTPResponse.Status, headers: HTTPFields, isDecoded: Bool, body path: String
    ) throws(TarmacError) {
        remove(label)
        guard FileDescriptor.renameFile(path, to: place(label, .body)) else {
            throw TarmacError(.unwritableFile, phase: .receiving, "what has come cannot be kept in \"\(folder)\": \(FileDescriptor.lastError)")
        }
        do {
            let head = try JSONEncoder().encode(Head(status: status.code, headers: headers, isDecoded: isDecoded))
            try head.write(to: URL(fileURLWithPath: place(label, .head)), options: .atomic)
        } catch {
            throw TarmacError(.unwritableFile, phase: .receiving, "what has come cannot be kept in \"\(folder)\"", cause: error)
        }
    }

    /// What has come for a request, with a body that takes itself off the shelf when it has been read.
    package func response(_ label: BackgroundLabel, to request: Request) -> Response? {
        guard let head = head(label), let length = length(label) else { return nil }
        let path = place(label, .body)
        let stream = ByteStream { [self] in ShelvedBody(FileSlice(path: path, 0..<length)) { remove(label) } }
        var response = Response(status: HTTPResponse.Status(code: head.status), headers: head.headers, body: .stream(stream), url: request.url)
        if head.isDecoded { response.isDecoded = true }
        return response
    }

    /// What has come for a call that has landed.
    ///
    /// - Throws: `.connectionLost` when it is gone.
    package func landed(_ label: BackgroundLabel, _ request: Request) throws(TarmacError) -> Response {
        guard let response = response(label, to: request) else { throw TarmacError(.connectionLost, phase: .receiving, "what had come is gone") }
        return response
    }

    package func has(_ label: BackgroundLabel) -> Bool { head(label) != nil && length(label) != nil }

    package func keep(_ resumeData: Data, for label: BackgroundLabel) {
        // Best effort: without it the download begins anew.
        try? resumeData.write(to: URL(fileURLWithPath: place(label, .rest)), options: .atomic)
    }

    /// What an interrupted task can go on with; it is used once.
    package func takeResumeData(_ label: BackgroundLabel) -> Data? {
        defer { FileDescriptor.removeFile(place(label, .rest)) }
        return try? Data(contentsOf: URL(fileURLWithPath: place(label, .rest)))
    }

    package func remove(_ label: BackgroundLabel) {
        for part in Part.allCases { FileDescriptor.removeFile(place(label, part)) }
    }

    /// Drops what belongs to downloads that are finished or forgotten.
    package func sweep(known keys: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.dropFirst(64).first == "-" {
            if !keys.contains(String(name.prefix(64))) { FileDescriptor.removeFile("\(folder)/\(name)") }
        }
    }

    private enum Part: String, CaseIterable {
        case head, body, rest
    }

    private func place(_ label: BackgroundLabel, _ part: Part) -> String { "\(folder)/\(label.fileName).\(part.rawValue)" }

    private func head(_ label: BackgroundLabel) -> Head? {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: place(label, .head))) else { return nil }
        return try? JSONDecoder().decode(Head.self, from: data)
    }

    private func length(_ label: BackgroundLabel) -> Int64? {
        let descriptor = FileDescriptor.openWithoutFollowing(place(label, .body))
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        return FileDescriptor.size(descriptor)
    }
}

/// A kept body, gone once it was read to its end.
private final class ShelvedBody: ByteStreamSource {
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
