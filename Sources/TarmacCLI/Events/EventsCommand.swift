#if Tools
import ArgumentParser
import HTTPTypes
import Tarmac
import TarmacStreams

/// `tarmac events`: Server-Sent Events as they come.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Print Server-Sent Events as they come, and reconnect.",
        discussion: """
            Into a pipe, the data of each event is a line of its own, or more where it has several; --json makes one JSON object of
            each event. Reconnections are told on standard error. Ctrl-C ends it.

            \(ExitStatus.table)
            """)

    @OptionGroup var call: CallArguments

    @Option(name: [.customShort("X"), .long], help: "The method. Default: GET, POST with --data.")
    var method: String?

    @Option(help: ArgumentHelp("Go on after the event of this id.", valueName: "id"))
    var lastEventId: String?

    @Flag(help: "Do not reconnect: the end of the answer is the end.")
    var once = false

    @Option(help: ArgumentHelp("An event with exactly this data is the end, such as [DONE].", valueName: "data"))
    var until: String?

    @Flag(help: "Print each event as one line of JSON: name, data, id.")
    var json = false

    func run() async throws { try await EventsRunner(self).run() }
}

/// Runs the command.
struct EventsRunner {
    private let command: EventsCommand
    private let plan: CallPlan
    private let method: HTTPRequest.Method
    private let terminal = Console.terminal

    init(_ command: EventsCommand) throws {
        self.command = command
        method = try Self.method(command)
        guard command.call.output == nil, !command.call.include, command.call.cache == nil else {
            throw TarmacError(
                .invalidOption, "--output, --include and --cache are for answers that end",
                suggestion: "send the events into a file with >, and use --verbose for the heads")
        }
        plan = try CallPlan(method, command.call)
    }

    static func method(_ command: EventsCommand) throws(TarmacError) -> HTTPRequest.Method {
        guard let name = command.method else { return command.call.data == nil ? .get : .post }
        guard let method = HTTPRequest.Method(name.uppercased()) else {
            throw TarmacError(.invalidOption, "\"\(name)\" is not a method name", suggestion: "use letters, such as POST")
        }
        return method
    }

    func run() async throws {
        if command.call.explain || command.call.curl { return try await CallRunner(method, command.call).run() }
        let recording = try CallRecording(command.call.record)
        for warning in plan.warnings { Console.note(terminal.errorPalette.paint(" WARNING ", .loud) + " " + warning) }
        try await recording.during { try await print(recording) }
    }

    private func print(_ recording: CallRecording) async throws {
        let text = EventText(isJSON: command.json, isTerminal: terminal.showsOutput, palette: terminal.palette)
        try await withClient(transport: plan.transport.factory, configure: recording.configure) { client in
            for try await event in client.events(plan.endpoint, after: command.lastEventId ?? "", configure: configure) {
                try Console.line(text.text(event))
            }
        }
    }

    private func configure(_ options: inout Options) {
        var rule: EventStreamRule = command.once ? .once : .reconnecting
        rule.endMarker = command.until
        options.events = rule
        let logger = command.call.verbose ? VerboseLog { Console.note($0) } : nil
        options.observers = [ReconnectNotes(logger: logger, palette: terminal.errorPalette)]
        if command.call.trust.pinReportOnly, logger == nil { options.observers.append(PinReportText.observer(terminal.errorPalette) { Console.note($0) }) }
        guard command.call.verbose else { return }
        options.attemptInterceptors = [
            VerboseHeads(redactor: command.call.showSecrets ? nil : .standard, palette: terminal.errorPalette) { Console.note($0) }
        ]
    }
}

/// Says on standard error that a stream connects again.
private struct ReconnectNotes: EventObserver {
    let logger: VerboseLog?
    let palette: Palette

    func receive(_ event: CallEvent) {
        logger?.receive(event)
        guard logger == nil, case .stage(StreamEvent.reconnecting(let pause, let error)) = event.kind else { return }
        Console.note(palette.paint("Connecting again in \(pause.shown): \(error.map { $0.code.name } ?? "the stream has ended").", .dim))
    }
}
#endif
