/// Where a program says what happens, and waits for it to be said. It stands for the screen of an app.
@MainActor
public final class Stage {
    public private(set) var lines: [String] = []
    private var waiting: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []

    public init() {}

    /// The demo server's URL, from the command line.
    public static var server: String { CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080" }

    public func say(_ line: String) {
        print("  \(line)")
        lines.append(line)
        let heard = waiting.filter { line.hasPrefix($0.line) }
        waiting.removeAll { line.hasPrefix($0.line) }
        for entry in heard { entry.continuation.resume() }
    }

    /// Returns once a line with this beginning has been said.
    public func heard(_ line: String) async {
        if lines.contains(where: { $0.hasPrefix(line) }) { return }
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
