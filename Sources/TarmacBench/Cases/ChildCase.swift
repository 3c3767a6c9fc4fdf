#if Tools
import Foundation

/// The works whose memory counts: each runs in a process of its own, after one call that warms it up.
enum ChildCase: String, CaseIterable, Codable {
    case many, download, upload, multipart, cancel

    var title: String {
        switch self {
        case .many: "10,000 at once"
        case .download: "512 MiB download to a file"
        case .upload: "256 MiB upload from a file"
        case .multipart: "256 MiB form with a file"
        case .cancel: "cancelling 1,000"
        }
    }

    struct Outcome: Codable {
        var wall: Double
        var cpu: Double
        /// Above an idle process that has made one call.
        var memory: Int
        /// Requests the server saw after the cancellation.
        var late: Int = 0
    }

    func run(_ contender: any Contender, site: Site) async throws -> Outcome {
        _ = try await contender.get(site.small)
        let idle = Memory.resident
        Memory.resetPeak()
        if self == .cancel { return try await Cancellation.run(contender) }
        let before = Usage.now()
        try await work(contender, site)
        let used = Usage.now() - before
        let memory = max(0, Memory.peak - idle)
        try? FileManager.default.removeItem(atPath: site.scratch("download"))
        try await contender.shutdown()
        return Outcome(wall: used.wall, cpu: used.cpu, memory: memory)
    }

    private func work(_ contender: any Contender, _ site: Site) async throws {
        switch self {
        case .download: try await contender.download(site.big, to: site.scratch("download"))
        case .upload: try await contender.upload(try site.uploadFile(), to: site.uploads)
        case .multipart: try await contender.uploadForm(try site.uploadFile(), to: site.uploads)
        case .many:
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10_000 { group.addTask { _ = try await contender.get(site.small) } }
                try await group.waitForAll()
            }
        case .cancel: break
        }
    }
}

/// The server's addresses and the files of a run.
struct Site {
    let base: String
    let folder: String
    var small: String { "\(base)/1k.json" }
    var medium: String { "\(base)/100k.json" }
    var big: String { "\(base)/512m.bin" }
    /// The same for all, so that the server keeps one.
    var uploads: String { "\(base)/upload/file" }
    func scratch(_ name: String) -> String { "\(folder)/tarmac-bench-\(name)-\(getpid())" }

    /// 256 MiB, made once.
    func uploadFile() throws -> String {
        let path = "\(folder)/tarmac-bench-256m.bin"
        if let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size == 256 << 20 { return path }
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        for index in 0..<256 { try file.write(contentsOf: Data(repeating: UInt8(index), count: 1 << 20)) }
        try file.close()
        return path
    }
}
#endif
