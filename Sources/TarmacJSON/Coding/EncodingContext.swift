/// What the containers of one encoding share: the text written so far and the containers open in it.
///
/// A value encoded into a container is written and closed before the call returns, so its text goes
/// straight to its place. Only a nested container or super encoder the type holds on to can be written
/// to later; it gets a context of its own, whose text takes the place of a placeholder at the end (``EncodingRun``).
///
/// Used by one call, on the thread of that call.
final class EncodingContext {
    let output: OutputBuffer
    let settings: TarmacJSONEncoder
    let layout: TextLayout
    let isPretty: Bool
    let sortsKeys: Bool
    let escapesSlashes: Bool
    let convertsKeys: Bool
    /// How deep the text stands in the whole.
    let baseLevel: Int
    let levels = Stack<EncodingLevel>(capacity: 8)
    let marks = Stack<EncodingLevel.Mark>(capacity: 16)
    /// The values being encoded, outermost first.
    let frames = Stack<EncodingFrame>(capacity: 8)
    /// The latest marks of the keys of objects that have many, by the object's serial.
    var names: [Int: [ScalarText: Int]] = [:]
    /// Members of open objects that will be left out because their key came again.
    var removals = 0
    /// Their marks, in the order they were found in.
    var replaced: [Int] = []
    let stack: StackLimit
    let parent: EncodingParent?
    private var ownRun: EncodingRun?
    private var serial = 0
    private var snakeKeys: [String: String] = [:]
    let routes: EncodingRoutes

    init(settings: TarmacJSONEncoder, below parent: EncodingParent? = nil) {
        output = OutputBuffer(capacity: parent == nil ? 1024 : 64)
        self.settings = settings
        self.parent = parent
        stack = parent?.stack ?? StackLimit()
        routes = parent?.routes ?? EncodingRoutes()
        baseLevel = parent?.level ?? 0
        layout = TextLayout(output: output, options: settings.outputFormatting)
        isPretty = layout.isPretty
        sortsKeys = layout.sortsKeys
        escapesSlashes = !settings.outputFormatting.contains(.withoutEscapingSlashes)
        if case .useDefaultKeys = settings.keyEncodingStrategy { convertsKeys = false } else { convertsKeys = true }
    }

    // MARK: Values

    func writeRoot<T: Encodable>(_ value: T) throws {
        try write(value, isRoot: true)
        if let fault = ownRun?.fault { throw fault }
    }

    /// Writes `value` where the text ends. What the standard library would write through existential
    /// containers (scalars, arrays, optionals, dictionaries) is written directly.
    @inline(__always)
    func write<T: Encodable>(_ value: T) throws {
        try write(value, isRoot: false)
    }

    func write<T: Encodable>(_ value: T, isRoot: Bool) throws {
        if try writeScalar(value) { return }
        if let direct = routes.route(for: T.self) {
            try write(value, direct)
        } else {
            try write(isRoot: isRoot, value) { try value.encode(to: $0) }
        }
    }

    @inline(__always)
    private func write<Direct: DirectlyEncodable, T>(_ value: T, _ direct: Direct.Type) throws {
        try same(value, as: direct).write(to: self)
    }

    /// Lets `encode` write one value; `{}` if it writes nothing.
    @inline(__always)
    func write<Value>(isRoot: Bool = false, _ value: Value, _ encode: (ValueEncoder) throws -> Void) throws {
        let depth = levels.count
        let start = output.count
        if stack.isUsedUp { throw tooDeep(value) }
        // Whoever catches an error goes back to a checkpoint, and takes the frame away with all others.
        try encode(begin())
        close(downTo: depth)
        frames.removeLast()
        guard output.count == start else { return }
        if isRoot {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "Top-level \(type(of: value)) did not encode any values."))
        }
        output.append("{}")
    }

    /// The encoder for a value whose text begins here.
    @inline(__always)
    func begin() -> ValueEncoder {
        serial &+= 1
        frames.append(EncodingFrame(serial: serial, depth: levels.count, start: output.count))
        return ValueEncoder(context: self, value: .init(place: frames.count &- 1, serial: serial))
    }

    @inline(__always)
    private func writeScalar<T>(_ value: T) throws -> Bool {
        if T.self == String.self {
            write(string: same(value, as: String.self))
        } else if T.self == Int.self {
            NumberWriter.write(same(value, as: Int.self), to: output)
        } else if T.self == Double.self {
            try write(floating: same(value, as: Double.self))
        } else if T.self == Bool.self {
            write(same(value, as: Bool.self))
        } else {
            return false
        }
        return true
    }

    @inline(__always)
    func write(string: String) {
        StringWriter.write(string, to: output, escapingSlashes: escapesSlashes)
    }

    @inline(__always)
    func write(_ value: Bool) {
        output.append(value ? "true" : "false")
    }

    func writeNull() {
        output.append("null")
    }

    func write<T: BinaryFloatingPoint & CustomStringConvertible>(floating value: T) throws {
        guard !value.isFinite else { return NumberWriter.write(value, to: output) }
        guard case .convertToString(let positive, let negative, let nan) = settings.nonConformingFloatEncodingStrategy
        else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: writingPath, debugDescription: "Unable to encode \(T.self).\(value) directly in JSON."))
        }
        write(string: value.isNaN ? nan : value > 0 ? positive : negative)
    }

    // MARK: Containers

    func open(isObject: Bool) -> EncodingLevel.Handle {
        serial += 1
        output.append(isObject ? 0x7B : 0x5B)
        levels.append(EncodingLevel(isObject: isObject, serial: serial, frames: frames.count, firstMark: marks.count))
        return EncodingLevel.Handle(depth: levels.count - 1, serial: serial)
    }

    @inline(__always)
    func close(downTo depth: Int) {
        while levels.count > depth {
            let top = levels.count &- 1
            let isObject = levels[top].isObject
            if levels[top].replacements > 0 || sortsKeys && isObject { arrangeMembers(of: levels[top]) }
            forgetNames(of: top)
            forgetReplaced(levels[top].replacements)
            if isPretty, levels[top].count > 0 { layout.newLine(level: baseLevel &+ top) }
            output.append(isObject ? 0x7D : 0x5D)
            marks.removeLast(marks.count &- levels[top].firstMark)
            levels.removeLast()
        }
    }

    /// Takes the marks of a closing object's replaced members away.
    @inline(__always)
    private func forgetReplaced(_ number: Int) {
        guard number > 0 else { return }
        removals -= number
        replaced.removeLast(number)
    }

    /// Whether `handle`'s container is the innermost open one, and none of its members is being written: no other can be
    /// written to.
    @inline(__always)
    func isWritable(_ handle: EncodingLevel.Handle) -> Bool {
        levels.count == handle.depth &+ 1 && levels[handle.depth].serial == handle.serial && levels[handle.depth].frames == frames.count
    }

    func isOpen(_ handle: EncodingLevel.Handle) -> Bool {
        handle.depth >= 0 && handle.depth < levels.count && levels[handle.depth].serial == handle.serial
    }

    /// Whether `value` is being encoded.
    @inline(__always)
    func isOpen(_ value: EncodingFrame.Handle) -> Bool {
        value.place >= 0 && value.place < frames.count && frames[value.place].serial == value.serial
    }

    /// Whether `value` is the innermost one being encoded.
    @inline(__always)
    func isWritable(_ value: EncodingFrame.Handle) -> Bool {
        frames.count == value.place &+ 1 && frames[value.place].serial == value.serial
    }

    // MARK: Keys

    func converted(_ key: some CodingKey, of handle: EncodingLevel.Handle) -> String {
        switch settings.keyEncodingStrategy {
        case .useDefaultKeys: return key.stringValue
        case .convertToSnakeCase:
            let name = key.stringValue
            if let known = snakeKeys[name] { return known }
            let converted = SnakeCase.snake(name)
            snakeKeys[name] = converted
            return converted
        case .custom(let convert): return convert(codingPath(of: handle) + [key]).stringValue
        }
    }

    /// The keys that lead to what the first `depth` open containers are at. Each of them must be writing a member.
    private func codingPath(_ depth: Int) -> [any CodingKey] {
        (parent?.step?.path ?? []) + (0..<depth).map { key(at: $0) }
    }

    /// The path of the value that is being written.
    var writingPath: [any CodingKey] { codingPath(levels.count) }

    /// The path of a container; of a closed one, that of the whole text.
    func codingPath(of handle: EncodingLevel.Handle) -> [any CodingKey] { codingPath(isOpen(handle) ? handle.depth : 0) }

    /// The path of a value; of one that is over, that of the whole text.
    func codingPath(of value: EncodingFrame.Handle) -> [any CodingKey] { codingPath(isOpen(value) ? frames[value.place].depth : 0) }

    private func key(at depth: Int) -> AnyCodingKey {
        let level = levels[depth]
        guard level.isObject else { return AnyCodingKey(intValue: level.count - 1) }
        return AnyCodingKey(level.key ?? text(of: level.current))
    }

    /// The step of what the first `count` open containers are at. Kept with each of them, so that a type's many nested containers
    /// take no time for what lies around it.
    func step(_ count: Int) -> EncodingStep? {
        var depth = count
        while depth > 0, !levels[depth - 1].knowsStep { depth -= 1 }
        var step = depth > 0 ? levels[depth - 1].step : parent?.step
        for depth in depth..<count {
            step = EncodingStep(key(at: depth), after: step)
            levels[depth].step = step
            levels[depth].stepCount = levels[depth].count
        }
        return step
    }

    /// The key as it stands in the text.
    func text(of mark: EncodingLevel.Mark) -> String {
        output.withBytes { StringReader.string(unescaping: $0.extracting(mark.content)) }
    }

    // MARK: End

    /// Made when something needs it, which most encodings do not.
    var run: EncodingRun {
        if let run = parent?.run ?? ownRun { return run }
        let run = EncodingRun()
        ownRun = run
        return run
    }

    /// Whether nobody writes here at the moment: the value or container this is for is open at most.
    var isIdle: Bool { frames.count <= 1 && levels.count <= 1 }

    /// The text of this context alone, whole.
    func closed() -> OutputBuffer {
        close(downTo: 0)
        if output.count == 0 { output.append("{}") }
        return output
    }

    /// The whole text, with that of nested contexts in its places.
    func finish() -> OutputBuffer {
        let text = closed()
        return ownRun?.assembled(text) ?? text
    }

    /// Parts what the encoding left, also after an error, and closes all that a type may still hold.
    func end() {
        abandon()
        ownRun?.end()
    }

    /// Whatever is open here cannot be written to any more.
    func abandon() {
        levels.removeLast(levels.count)
        frames.removeLast(frames.count)
    }
}
