import HTTPTypes
import Tarmac
import TarmacTesting
import TarmacXML
import Testing

private struct GetFeed: Endpoint {
    typealias Value = XMLTree
    static let route: Route = .get("/feed")
}

/// YTK-8: answers of XML, parsed.
@Suite("XML trees", .timeLimit(.minutes(5)))
struct XMLTreeTests {
    private static let feed = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE rss SYSTEM "http://example.com/rss[1].dtd">
        <!-- <!DOCTYPE a [ in a comment is a comment -->
        <rss version='2.0'><channel><title>A &amp; B</title>
        <item id="1"><title>one</title></item><item id="2"><title><![CDATA[<two> ]]>&#228;</title></item></channel></rss>
        """

    private func client(_ bytes: [UInt8], _ type: String = "text/xml") -> Client {
        Client(
            transport: .stub { _ in .bytes(Bytes(bytes), contentType: type) }, services: [Service("s", host: "https://s.example")])
    }

    @Test func anAnswerLandsAsATree() async throws {
        let tree = try await client(Array(Self.feed.utf8)).send(GetFeed())
        #expect(tree.name == "rss" && tree[attribute: "version"] == "2.0")
        #expect(try tree.required("channel", "title").text == "A & B")
        #expect(tree.descendants("channel", "item").map { $0[attribute: "id"] } == ["1", "2"])
        #expect(tree.descendants("channel", "item", "title").map(\.text) == ["one", "<two> ä"])
        #expect(tree.child("none") == nil && tree.descendants("none", "item").isEmpty)
    }

    @Test func itsCharsetIsTheOneItNames() async throws {
        let bytes = Array(#"<?xml version="1.0" encoding="GBK"?><a>"#.utf8) + [0xC4, 0xE3] + Array("</a>".utf8)
        #expect(try await client(bytes).send(GetFeed()).text == "你")
    }

    @Test func whatIsMissingIsNamedByTheWholeWay() throws {
        let tree = try XMLTree(parsing: Self.feed)
        let fault = #expect(throws: XMLFault.self) { try tree.required("channel", "image", "url") }
        #expect(fault?.reason.contains("rss/channel/image") == true)
    }

    @Test func anotherTypeIsRefused() async {
        let error = await #expect(throws: TarmacError.self) { try await client(Array("<a/>".utf8), "text/html").send(GetFeed()) }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test(arguments: ["", "<a>", "<a></b>", "<a/><b/>", "<a b=c/>", "text", "<a>&nothing;</a>", "<a b='1' b='2'/>", "<?xml", "<!DOCTYPE a"])
    func whatIsNotWellFormedIsAnErrorWithTheAnswer(text: String) async {
        let error = await #expect(throws: TarmacError.self) { try await client(Array(text.utf8)).send(GetFeed()) }
        #expect(error?.code == .decodingFailed && error?.cause(as: XMLFault.self) != nil)
        #expect(error?.response?.body.count == text.utf8.count)
    }

    /// A parser that goes on reports each of the errors, and reads the text again for each.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["<a>\n<!--", "<a>\n&", "<a>\n]]>", "<a>\n<b c=1/>", "<a>\n<b", "<a>\n\u{1}", "<a>\n&#1;", "<a>\n</b>", "<a>\n<?xml ?>"],
        ["-", "& ", "]]>", "<", "\u{2}"])
    func theFirstErrorEndsTheParsing(start: String, rest: String) {
        let text = start + String(repeating: rest, count: 1_000_000 / rest.utf8.count) + "></a>"
        let fault = #expect(throws: XMLFault.self) { try XMLTree(parsing: text) }
        // The place of the first error, not that of the end.
        if let fault, start == "<a>\n<!--", rest == "-" { #expect(fault.line == 2 && (fault.column ?? .max) < 100, "\(fault)") }
    }

    @Test(arguments: [
        #"<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>"#,
        #"<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>"#,
        #"<?xml version="1.0"?><!-- x --><?pi y?> <!DOCTYPE a PUBLIC "[" '>' [<!ENTITY b "c">]><a/>"#,
    ])
    func declarationsOfEntitiesAreRefused(text: String) {
        let fault = #expect(throws: XMLFault.self) { try XMLTree(parsing: text) }
        #expect(fault?.reason.contains("declares") == true)
    }

    /// What a parser takes for the end of a comment, a literal or the declaration is not to be what the check takes for it.
    @Test(arguments: [
        #"<!--><a> --><!DOCTYPE a [<!ENTITY e "boo">]><a b='&e;'/>"#,
        #"<!---><a> --><!DOCTYPE a [<!ENTITY e "boo">]><a b='&e;'/>"#,
        #"<!-- -- --><!DOCTYPE a [<!ENTITY e "boo">]><a b='&e;'/>"#,
        "<!DOCTYPE a SYSTEM \"\u{301}x\" [<!ENTITY e \"boo\">]><a>&e;</a>",
        "<!DOCTYPE a SYSTEM 'x\u{301}' [<!ENTITY e \"boo\">]><a>&e;</a>",
        #"<!DOCTYPE a ' [<!ENTITY e "boo">]> '><a>&e;</a>"#,
        #"<?><a> ?><!DOCTYPE a [<!ENTITY e "boo">]><a>&e;</a>"#,
        #"<!DOCTYPE a><!DOCTYPE a [<!ENTITY e "boo">]><a>&e;</a>"#,
        #"x<!DOCTYPE a [<!ENTITY e "boo">]><a>&e;</a>"#,
        #"<?xml version="1.0"?><?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a [<!ENTITY e "boo">]><a>&e;</a>"#,
        "\u{FEFF}<?xml version=\"1.0\"?>\u{FEFF}<!DOCTYPE a [<!ENTITY e \"boo\">]><a>&e;</a>",
        "\u{FEFF}<!DOCTYPE a [<!ENTITY e \"boo\">]><a>&e;</a>",
        #"<a><!DOCTYPE a [<!ENTITY e "boo">]>&e;</a>"#,
        #"<a/><!DOCTYPE a [<!ENTITY e "boo">]>"#,
    ])
    func noDetourLeadsToDeclarations(text: String) {
        #expect(throws: XMLFault.self) { try XMLTree(parsing: text) }
    }

    @Test func defaultsOfAttributesAreNoBomb() {
        let value = String(repeating: "x", count: 100_000)
        let bomb = "<!--><a> --><!DOCTYPE a [<!ATTLIST c b CDATA \"\(value)\">]><a>" + String(repeating: "<c/>", count: 50) + "</a>"
        #expect(throws: XMLFault.self) { try XMLTree(parsing: bomb) }
    }

    @Test(arguments: [
        "<!DOCTYPE html>", "<!DOCTYPE a SYSTEM '[>]' >", "<!DOCTYPE a PUBLIC \"-//W3C//DTD x//EN\"\n 'http://x/>' >", "<?pi ?><!---->\n",
        "<!-- a - b -->", "\u{FEFF}", "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?>", "<?xml-stylesheet href='[?'?>",
    ])
    func whatStandsHarmlesslyBeforeTheRootIsPassed(prolog: String) throws {
        #expect(try XMLTree(parsing: prolog + "<é b='ä'>x</é>").text == "x")
    }

    /// XML 1.0 §2.6. On Linux Foundation's parser ends the process at such a one.
    @Test(arguments: [
        "<a><?p?>x</a>", "<?p?><a>x</a>", "<a>x</a><?p?><?q?>", "<a b='>'><?é?>x</a>", "<a><!-- <?p?> -->x</a>", "<!DOCTYPE a SYSTEM '<?p?>'><a>x</a>",
        "<a>x<?p <?q?></a>",
    ])
    func anInstructionMayBeItsTargetAlone(text: String) throws {
        #expect(try XMLTree(parsing: text).text == "x")
    }

    @Test(arguments: ["<?p?>", "<?p?><?q?> ?>", "a<?p?>b", "<?>", "<? ?>"])
    func whatLooksLikeAnInstructionInASectionIsText(text: String) throws {
        #expect(try XMLTree(parsing: "<a><?p?><![CDATA[\(text)]]><?p?></a>").text == text)
    }

    /// Behind a fault the parser goes on, and sees instructions where there are none.
    @Test(arguments: ["<a b=\"<?p?>\">", "<!DOCTYPE a PUBLIC '<?p?>' 's'><a/>", "<a><!-- \u{1} <?p?> --></a>", "<a><![CDATA[\u{1}<?p?>]]></a>", "<a <?p?>"])
    func anInstructionBehindAFaultEndsNoProcess(text: String) {
        #expect(throws: XMLFault.self) { try XMLTree(parsing: text) }
    }

    @Test func depthAndNumberAreBounded() throws {
        let deep = { (depth: Int) in String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth) }
        #expect(throws: Never.self) { try XMLTree(parsing: deep(128)) }
        #expect(throws: XMLFault.self) { try XMLTree(parsing: deep(129)) }
        #expect(throws: XMLFault.self) { try XMLTree(parsing: deep(200_000)) }
        let wide = "<r>" + String(repeating: "<a/>", count: 9) + "</r>"
        #expect(try XMLTree(parsing: wide, limits: XMLLimits(elements: 10)).children.count == 9)
        #expect(throws: XMLFault.self) { try XMLTree(parsing: wide, limits: XMLLimits(elements: 9)) }
    }

    /// The document is not to blame.
    @Test(arguments: [XMLLimits(depth: 0), XMLLimits(elements: 0), XMLLimits(elements: .min), XMLLimits(attributes: -1), XMLLimits(depth: 1_001)])
    func limitsThatNoDocumentMeetsAreNamed(limits: XMLLimits) throws {
        let fault = #expect(throws: XMLFault.self) { try XMLTree(parsing: "<a/>", limits: limits) }
        let reason = fault?.reason ?? ""
        #expect(["no document", "less than none", "beyond 1000"].contains { reason.contains($0) } && fault?.line == nil)
    }

    /// libxml2 compares each attribute with all before it: a few megabytes of them would keep a thread for minutes.
    @Test func attributesAndNamespacesAreBounded() throws {
        let attributes = { (count: Int) in (0..<count).map { " a\($0) = '<>'".replacing("<", with: "&lt;") }.joined() }
        #expect(try XMLTree(parsing: "<a\(attributes(1_000))/>").attributes.count == 1_000)
        let fault = #expect(throws: XMLFault.self) { try XMLTree(parsing: "<b>\n<a\(attributes(1_001))/></b>") }
        #expect(fault?.reason.contains("1000 attributes") == true && fault?.line == 2)
        #expect(throws: XMLFault.self) { try XMLTree(parsing: "<a b='c'/>", limits: XMLLimits(attributes: 0)) }
        let text = "<a><![CDATA[<b\(attributes(900))><b\(attributes(900))>]]>\(String(repeating: "=", count: 2_000))</a>"
        #expect(throws: Never.self) { try XMLTree(parsing: text) }
        let spaces = { (count: Int) in (0..<count).map { " xmlns:a\($0)='u'" }.joined() }
        #expect(throws: Never.self) { try XMLTree(parsing: "<a><b\(spaces(600))/><b\(spaces(600))/></a>") }
        #expect(throws: XMLFault.self) { try XMLTree(parsing: "<a\(spaces(600))><b\(spaces(600))/></a>") }
    }

    @Test func aTreeShowsNoText() throws {
        let tree = try XMLTree(parsing: "<a b='hunter2'>hunter2</a>")
        var dumped = ""
        dump(tree, to: &dumped)
        #expect(!"\(tree) \(String(reflecting: tree)) \(dumped)".contains("hunter2"))
    }
}
