#if Tools
import ArgumentParser
import HTTPTypes

/// One command for each method; they differ in nothing else.
protocol MethodCommand: AsyncParsableCommand {
    static var method: HTTPRequest.Method { get }
    var call: CallArguments { get }
}

extension MethodCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: method.rawValue.lowercased(), abstract: "Send \(method == .options ? "an" : "a") \(method.rawValue) request.",
            discussion: ExitStatus.table)
    }

    func run() async throws { try await CallRunner(Self.method, call).run() }
}

struct GetCommand: MethodCommand {
    static let method = HTTPRequest.Method.get
    @OptionGroup var call: CallArguments
}

struct HeadCommand: MethodCommand {
    static let method = HTTPRequest.Method.head
    @OptionGroup var call: CallArguments
}

struct PostCommand: MethodCommand {
    static let method = HTTPRequest.Method.post
    @OptionGroup var call: CallArguments
}

struct PutCommand: MethodCommand {
    static let method = HTTPRequest.Method.put
    @OptionGroup var call: CallArguments
}

struct PatchCommand: MethodCommand {
    static let method = HTTPRequest.Method.patch
    @OptionGroup var call: CallArguments
}

struct DeleteCommand: MethodCommand {
    static let method = HTTPRequest.Method.delete
    @OptionGroup var call: CallArguments
}

struct OptionsCommand: MethodCommand {
    static let method = HTTPRequest.Method.options
    @OptionGroup var call: CallArguments
}
#endif
