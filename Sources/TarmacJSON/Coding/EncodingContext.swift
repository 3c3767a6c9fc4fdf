/// The state that the containers of one encoding share: the text written so far and the open containers.
///
/// A value encoded into a container is written and closed before the call returns, so its text goes directly to its
/// place. Only a nested container or super encoder that a type keeps can be written later. It gets its own context,
/// whose text replaces a placeholder at the end (``EncodingRun``).
///
/// One call uses it, on the thread of that call.
final class EncodingContext {
    let output: OutputBuffer
    let settings: TarmacJSONEncoder
    let layout: TextLayout
    let isPretty: Bool
    let sortsKeys: Bool
    let escapesSlashes: Bool
    let convertsKeys: Bool
    /// The nesting level of this text in the complete text.
    let baseLevel: Int
    let levels = Stack<EncodingLevel>(capacity: 8)
    let marks = Stack<EncodingLevel.Mark>(capacity: 16)
    /// The values being encoded, outermost first.
    let frames = Stack<EncodingFrame>(capacity: 8)
    /// The latest marks of the keys of large objects, by the object's serial.
    var names: [Int: [ScalarText: Int]] = [:]
    /// The number of members of open objects that will be left out because their key was repeated.
    var removals = 0
    /// Their marks, in the order in which they were found.
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

    /// Writes `value` at the end of the text. Scalars, arrays, optionals and dictionaries, which the standard library
    /// writes through existential containers, are written directly.
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

    /// Lets `encode` write one value; writes `{}` if it writes nothing.
    @inline(__always)
    func write<Value>(isRoot: Bool = false, _ value: Value, _ encode: (ValueEncoder) throws -> Void) throws {
        let depth = levels.count
        let start = output.count
        if stack.isUsedUp { throw tooDeep(value) }
        // Code that catches an error restores a checkpoint, which also removes the frame.
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

    /// Returns the encoder for a value whose text starts here.
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

    /// Removes the marks of a closing object's replaced members.
    @inline(__always)
    private func forgetReplaced(_ number: Int) {
        guard number > 0 else { return }
        removals -= number
        replaced.removeLast(number)
    }

    /// Whether the container of `handle` is the innermost open one, and none of its members is being written. No other
    /// container is writable.
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

    /// Whether `value` is the innermost value being encoded.
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

    /// Returns the keys of the members that the first `depth` open containers are writing. Each must be writing one.
    private func codingPath(_ depth: Int) -> [any CodingKey] {
        (parent?.step?.path ?? []) + (0..<depth).map { key(at: $0) }
    }

    /// The path of the value being written.
    var writingPath: [any CodingKey] { codingPath(levels.count) }

    /// Returns the path of a container; for a closed one, that of the complete text.
    func codingPath(of handle: EncodingLevel.Handle) -> [any CodingKey] { codingPath(isOpen(handle) ? handle.depth : 0) }

    /// Returns the path of a value; for one that is complete, that of the whole text.
    func codingPath(of value: EncodingFrame.Handle) -> [any CodingKey] { codingPath(isOpen(value) ? frames[value.place].depth : 0) }

    private func key(at depth: Int) -> AnyCodingKey {
        let level = levels[depth]
        guard level.isObject else { return AnyCodingKey(intValue: level.count - 1) }
        return AnyCodingKey(level.key ?? text(of: level.current))
    }

    /// Returns the step of the member that the first `count` open containers are writing. It is kept in each of them,
    /// so that many nested containers of a type need no time for the levels around them.
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

    /// Returns the key as written in the text.
    func text(of mark: EncodingLevel.Mark) -> String {
        output.withBytes { StringReader.string(unescaping: $0.extracting(mark.content)) }
    }

    // MARK: End

    /// The run, created when it is needed, which is rare.
    var run: EncodingRun {
        if let run = parent?.run ?? ownRun { return run }
        let run = EncodingRun()
        ownRun = run
        return run
    }

    /// Whether no code is writing here: only the value or container of this context is open.
    var isIdle: Bool { frames.count <= 1 && levels.count <= 1 }

    /// Returns the complete text of this context alone.
    func closed() -> OutputBuffer {
        close(downTo: 0)
        if output.count == 0 { output.append("{}") }
        return output
    }

    /// Returns the complete text, with the texts of nested contexts in their places.
    func finish() -> OutputBuffer {
        let text = closed()
        return ownRun?.assembled(text) ?? text
    }

    /// Releases the state of the encoding, also after an error, and closes everything that a type may still hold.
    func end() {
        abandon()
        ownRun?.end()
    }

    /// Closes everything that is open here.
    func abandon() {
        levels.removeLast(levels.count)
        frames.removeLast(frames.count)
    }
}
