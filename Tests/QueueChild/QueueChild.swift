import Foundation
import Tarmac
import TarmacBackground
import TarmacURLSession

/// A process that is killed: it adds downloads and uploads to a queue, and transfers them from and to a server until there are none left.
///
///     QueueChild FOLDER URL COUNT AT-ONCE
///
/// Transfer `n` is an upload if `n` is odd; its priority is the remainder of `n` by 3. The queue is paused until all have been added. A file is
/// made for each that has landed.
@main
struct QueueChild {
    enum Media: Codable, Sendable {
        case download(Int)
        case upload(Int)

        var number: Int {
            switch self {
            case .download(let number), .upload(let number): number
            }
        }
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[3]), let atOnce = Int(arguments[4]) else {
            FileHandle.standardError.write(Data("usage: QueueChild FOLDER URL COUNT AT-ONCE\n".utf8))
            exit(2)
        }
        let folder = arguments[1]
        let client = Client(transport: .urlSession, services: [Service("files", hosts: [.production: Hosts(arguments[2])])]) {
            $0.transferLedger = .folder("\(folder)/ledger")
        }
        let queue = TransferQueue<Media>(client: client, folder: "\(folder)/queue", atOnce: atOnce) { media in
            switch media {
            case .download(let number): Download(.get("/file/{number}", ["number": number]), to: "\(folder)/files/\(number)")
            case .upload(let number): Upload(.text(text(number)), to: Post(number: number))
            }
        } landed: { media in
            try Data().write(to: URL(fileURLWithPath: "\(folder)/landed/\(media.number)"))
        }
        try await add(count, to: queue, marker: "\(folder)/added")
        for await entries in queue.changes() where entries.isEmpty { break }
        await client.shutdown()
    }

    private static func add(_ count: Int, to queue: TransferQueue<Media>, marker: String) async throws {
        if !FileManager.default.fileExists(atPath: marker) {
            try await queue.pause()
            for number in 0..<count {
                let priority = CallPriority(rawValue: number % 3) ?? .normal
                try await queue.add(number % 2 == 1 ? .upload(number) : .download(number), id: "\(number)", priority: priority)
            }
            try Data().write(to: URL(fileURLWithPath: marker))
        }
        try await queue.resume()
    }

    /// The body of an upload.
    private static func text(_ number: Int) -> String { String(repeating: "upload \(number) ", count: 200 + number % 7 * 100) }
}

private struct Post: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .post("/upload/{number}")
    var number: Int
}
