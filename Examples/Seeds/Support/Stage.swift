import Foundation
import Tarmac
import TarmacURLSession

/// Where a program says what happens, and waits for it to be said. It stands for the screen of an app.
@MainActor
public final class Stage {
    public private(set) var lines: [String] = []
    private var waiting: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []

    public init() {}

    /// The demo server's URL, from the command line.
    public nonisolated static var server: String { CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080" }
    /// The URL of another demo server, which stands for a CDN.
    public nonisolated static var cdn: String { CommandLine.arguments.dropFirst(2).first ?? server }

    /// Runs a program; one line says why it failed, such as that there is no server, and the process ends with 1.
    public nonisolated static func run(_ program: @MainActor () async throws -> Void) async {
        do {
            try await checkServer()
            try await program()
        } catch {
            FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
            exit(1)
        }
    }

    private nonisolated static func checkServer() async throws {
        let client = Client(transport: .urlSession, services: [])
        do { try await client.get(server) } catch let error as TarmacError {
            throw Unexpected(
                description: "\(server) does not answer (\(error.code)); scripts/examples \(name) starts the demo server and flies the program")
        }
        await client.shutdown()
    }

    private nonisolated static var name: String { CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? "" }

    public func say(_ line: String) {
        print("  \(line)")
        lines.append(line)
        let heard = waiting.filter { line.hasPrefix($0.line) }
        waiting.removeAll { line.hasPrefix($0.line) }
        for entry in heard { entry.continuation.resume() }
    }

    /// Returns once a line with this beginning has been said.
    ///
    /// - Parameter count: the number of lines at the beginning that are left out. Default: 0.
    public func heard(_ line: String, after count: Int = 0) async {
        if lines.dropFirst(count).contains(where: { $0.hasPrefix(line) }) { return }
        await withCheckedContinuation { waiting.append((line, $0)) }
    }
}

/// What a program expected and did not find.
public struct Unexpected: Error, CustomStringConvertible {
    public let description: String
}

public func expect(_ condition: Bool, _ what: String) throws {
    if !condition { throw Unexpected(description: "expected: \(what)") }
}
