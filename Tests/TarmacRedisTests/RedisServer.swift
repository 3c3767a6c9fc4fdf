#if Redis && canImport(Glibc)
import Foundation
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacRedis

/// Debian's server, on loopback and in a folder of its own. It ends with its last reference.
final class RedisServer: Sendable {
    let port: Int
    private let folder = TemporaryFolder()
    private let options: [String]
    // SAFETY: a test starts and ends its server from one task.
    private nonisolated(unsafe) var process: Process?

    /// Starts a server and returns when it answers.
    init(_ options: [String] = []) async throws {
        self.options = options
        var attempts = 0
        while true {
            // A port that was free a moment ago: another test may take it before the server does.
            let other = try ScriptedServer([.close]), port = other.port
            other.stop()
            attempts += 1
            if let process = try await Self.started(port, folder, options) {
                (self.port, self.process) = (port, process)
                return
            }
            try #require(attempts < 10, "redis-server ends")
        }
    }

    /// Starts the server again, on its port.
    func start() async throws {
        let started = try await Self.started(port, folder, options)
        let running: Process = try #require(started, "redis-server has ended")
        process = running
    }

    /// Returns the process of a server that answers, or `nil` if it has ended.
    private static func started(_ port: Int, _ folder: TemporaryFolder, _ options: [String]) async throws -> Process? {
        let path = ["/usr/bin/redis-server", "/usr/bin/valkey-server"].first { FileManager.default.isExecutableFile(atPath: $0) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path, "there is no redis-server: run scripts/setup redis"))
        process.arguments = ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.path] + options
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try await eventually(trying: { if process.isRunning { await answers(port) } else { true } })
        return process.isRunning ? process : nil
    }

    /// Whether a server answers anything, even a refusal.
    private static func answers(_ port: Int) async -> Bool {
        do { _ = try await HiredisClient("127.0.0.1", port: port, timeLimit: .seconds(10)).run("PING") } catch {
            return (error as? TarmacError)?.reason.contains("refuses") == true
        }
        return true
    }

    func client(user: String? = nil, password: String? = nil, database: Int = 0, timeLimit: Duration = .seconds(30)) -> HiredisClient {
        HiredisClient("127.0.0.1", port: port, user: user, password: password, database: database, timeLimit: timeLimit)
    }

    func signal(_ number: Int32) { if let process { kill(process.processIdentifier, number) } }

    /// Ends the server as a crash does, and returns when its port is free. Foundation would report the end late: another process that a test
    /// starts at the same time can have a copy of the descriptor by which it learns of it.
    func crash() async throws {
        signal(SIGKILL)
        process = nil
        try await eventually(trying: { [port] in await !Self.answers(port) })
    }

    deinit { signal(SIGKILL) }
}
#endif
