#if os(Linux)
import Foundation
import TarmacTesting
import Testing

import Tarmac

/// Processes that share a login, some of which are killed. The server takes each refresh token once, except the one whose answer
/// nobody has used.
@Suite("Token stores: processes and kills", .timeLimit(.minutes(5)))
struct SharedStoreKillTests {
    @Test func noneIsLoggedOutWhoeverIsKilled() async throws {
        let folder = try Self.newFolder()
        var children: [Child] = []
        defer {
            for child in children { child.kill() }
            try? FileManager.default.removeItem(atPath: folder)
        }
        for round in 0..<12 {
            children.append(try Child(folder))
            if children.count < 3 { continue }
            for child in children { try await child.makesCalls() }
            children.remove(at: round % 3).kill()
        }
        for child in children { try await child.makesCalls() }
        #expect(!FileManager.default.fileExists(atPath: folder + "/fault"))
    }

    /// The server takes each refresh token once, and the store of the processes has no lock. A process may give up while another one
    /// has not saved the new token yet. None stays logged out.
    @Test func withoutALockTheLoginLastsInAllProcesses() async throws {
        let folder = try Self.newFolder()
        var children: [Child] = []
        defer {
            for child in children { child.kill() }
            try? FileManager.default.removeItem(atPath: folder)
        }
        for _ in 0..<3 { children.append(try Child(folder, mode: "tokens-without-lock")) }
        for _ in 0..<10 { for child in children { try await child.makesCalls() } }
    }

    private static func newFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "killed-tokens-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// A process that makes calls with the shared login.
private final class Child: Sendable {
    private struct Life: Sendable {
        var calls = 0
        var hasEnded = false
    }
    private let process = Process()
    private let life = Watched(Life())
    private static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("LogChild").path

    init(_ folder: String, mode: String = "tokens") throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = [mode, folder]
        let output = Pipe()
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { [life] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            life.update { life in
                // Each line is a call that has landed.
                life.calls += data.count { $0 == UInt8(ascii: "\n") }
                if data.isEmpty { life.hasEnded = true }
            }
        }
        try process.run()
    }

    /// Returns when three more calls have landed.
    func makesCalls() async throws {
        let target = life.value.calls + 3
        try await life.wait { $0.calls >= target || $0.hasEnded }
        #expect(!life.value.hasEnded, "it has ended by itself")
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
#endif
