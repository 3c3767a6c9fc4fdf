#if Tools
import ArgumentParser
import TarmacMasking

/// The cost of judging a name, beside a look-up of the same names in a dictionary of strings.
struct MaskingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "masking", abstract: "What it costs to judge the name of a header field, parameter or member.",
        discussion: "A ratio above its bar ends the command with 1.")
    @Option(help: "Rounds, of which the median counts.") var rounds = 15

    private static let seen = [
        "password", "X-Amz-Security-Token", "data[attributes][apiKey]", "next_page_token", "keyboard", "Content-Type", "user[new_password]",
        "status_code", "sessionId", "card_number", "If-None-Match", "access_token", "createdAt", "Authorization", "max_tokens", "training_session",
    ]
    /// More names than are remembered, so that each is judged again.
    private static let new = (0..<64).flatMap { number in
        seen.map { "\(["shop", "tax", "room", "list"][number % 4])\(Character(Unicode.Scalar(UInt8(97 + number / 4))))_\($0)" }
    }

    func run() async throws {
        let dictionary = cost(of: Self.seen) { [names = Dictionary(uniqueKeysWithValues: zip(Self.seen, 0...))] in names[$0] != nil }
        let names = SecretNames.standard
        let seen = cost(of: Self.seen) { names.rule(for: $0) != nil }
        let new = cost(of: Self.new) { names.rule(for: $0) != nil }
        let holds = [report("a name that was seen", seen / dictionary, atMost: 1.5), report("a new name", new / dictionary, atMost: 20)]
        print("a look-up in a dictionary \(Int(dictionary)) ns, a name that was seen \(Int(seen)) ns, a new one \(Int(new)) ns")
        if holds.contains(false) { throw ExitCode.failure }
    }

    private func report(_ what: String, _ ratio: Double, atMost bar: Double) -> Bool {
        print("\(what): \((ratio * 100).rounded() / 100) look-ups in a dictionary, at most \(bar) are allowed: \(ratio <= bar ? "pass" : "FAIL")")
        return ratio <= bar
    }

    /// Nanoseconds of processor time a name.
    private func cost(of names: [String], _ judge: (String) -> Bool) -> Double {
        var costs: [Double] = [], found = 0
        for _ in 0...rounds {
            let seconds = ThreadClock.measure(200_000 / names.count) {
                for name in names where judge(name) { found += 1 }
            }
            costs.append(seconds / Double(names.count) * 1e9)
        }
        return found >= 0 ? costs.dropFirst().sorted()[rounds / 2] : 0
    }
}
#endif
