import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif
import TarmacCore
import TarmacFormats

extension XMLTree {
    /// Parses a document with Foundation's `XMLParser`.
    ///
    /// Nothing outside the document is read. A document type declaration that contains declarations is refused.
    ///
    /// - Throws: ``XMLFault`` with line and column.
    public init(parsing text: String, limits: XMLLimits = XMLLimits()) throws(XMLFault) {
        if let fault = limits.fault { throw XMLFault(reason: fault) }
        let document: [UInt8]
        do { document = try XMLText(text).bytes } catch { throw XMLFault(reason: error.rawValue) }
        if let place = TagScan.firstTag(of: document, withMoreThan: limits.attributes) {
            throw XMLFault(reason: XMLTreeBuilder.tooManyAttributes(limits), line: place.line, column: place.column)
        }
        let builder = XMLTreeBuilder(limits: limits, size: document.count)
        let parser = XMLParser(data: ParserText.data(document))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = builder
        let isWhole = parser.parse()
        if let fault = builder.fault { throw fault }
        // On Linux content after the root element is an error, although parsing succeeds.
        guard isWhole, parser.parserError == nil, let root = builder.root else {
            throw XMLFault(reason: "the document is not well-formed", line: parser.lineNumber, column: parser.columnNumber)
        }
        self = root
    }
}

/// Builds a tree from the events of a parser.
private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private struct Open {
        let name: String
        let attributes: [String: String]
        /// The number of namespaces declared in the element and around it.
        let namespaces: Int
        var children: [XMLTree] = []
        var text = ""
    }

    private let limits: XMLLimits
    private var open: [Open] = []
    private var count = 0
    /// The number of bytes of names, attributes and text that may still follow.
    private var room: Int
    private(set) var root: XMLTree?
    private(set) var fault: XMLFault?

    /// - Parameter size: The size of the document in bytes. The parsed content is smaller, unless entities are
    ///   declared, because character references are longer than their characters.
    init(limits: XMLLimits, size: Int) {
        self.limits = limits
        room = size
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
        count += 1
        if open.count >= limits.depth { return stop(parser, "elements stand deeper than \(limits.depth)") }
        if count > limits.elements { return stop(parser, "there are more than \(limits.elements) elements") }
        guard takes(name.utf8.count + attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }, parser) else { return }
        let namespaces = attributes.reduce(open.last?.namespaces ?? 0) { $0 + ($1.key.hasPrefix("xmlns") ? 1 : 0) }
        if namespaces > limits.attributes { return stop(parser, "there are more than \(limits.attributes) namespaces") }
        open.append(Open(name: name, attributes: attributes, namespaces: namespaces))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        let tree = XMLTree(element.name, attributes: element.attributes, children: element.children, text: element.text)
        if open.isEmpty { root = tree } else { open[open.count - 1].children.append(tree) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if takes(text.utf8.count, parser), !open.isEmpty { open[open.count - 1].text += text }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if takes(block.count, parser), !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
    }

    /// On Linux the parser continues after an error, and makes one of each `--` of a comment: the first ends it.
    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { stop(parser, "the document is not well-formed") }

    // MARK: Declarations, which are refused before the parser sees them

    func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) { refuse(parser) }

    func parser(_ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?, systemID: String?) {
        refuse(parser)
    }

    func parser(
        _ parser: XMLParser, foundAttributeDeclarationWithName name: String, forElement element: String, type: String?, defaultValue: String?
    ) { refuse(parser) }

    private func refuse(_ parser: XMLParser) { stop(parser, XMLText.Refusal.declaration.rawValue) }

    // MARK: Limits

    static func tooManyAttributes(_ limits: XMLLimits) -> String { "an element has more than \(limits.attributes) attributes" }

    private func takes(_ count: Int, _ parser: XMLParser) -> Bool {
        room -= count
        if room < 0 { stop(parser, "more is made of the document than is in it") }
        return room >= 0
    }

    private func stop(_ parser: XMLParser, _ reason: String) {
        if fault == nil { fault = XMLFault(reason: reason, line: parser.lineNumber, column: parser.columnNumber) }
        parser.abortParsing()
    }
}
