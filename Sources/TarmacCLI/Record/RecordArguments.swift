#if Tools
import ArgumentParser

/// `--har` and `--trace`: the report at the end about every request. Every command that sends something takes them.
struct RecordArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "At the end, write every request and answer as an HTTP Archive (HAR 1.2), which browsers and tarmac open show; secrets are masked.",
            valueName: "file"))
    var har: String?

    @Flag(help: "At the end, draw on standard error where the time of each request went.")
    var trace = false
}
#endif
