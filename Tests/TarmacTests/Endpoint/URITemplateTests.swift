import Tarmac
import TarmacCore
import Testing

/// The examples of RFC 6570 §3.2, and what the grammar of §2 refuses.
@Suite struct URITemplateTests {
    static let variables: [String: TemplateValue] = [
        "count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!",
        "half": "50%", "var": "value", "who": "fred", "base": "http://example.com/home/", "path": "/foo/bar",
        "list": ["red", "green", "blue"], "keys": ["semi": ";", "dot": ".", "comma": ","], "v": "6", "x": "1024",
        "y": "768", "empty": "", "empty_keys": [:], "no_items": [],
    ]

    @Test(arguments: [
        ("{count}", "one,two,three"), ("{count*}", "one,two,three"), ("{/count}", "/one,two,three"),
        ("{/count*}", "/one/two/three"), ("{;count}", ";count=one,two,three"),
        ("{;count*}", ";count=one;count=two;count=three"), ("{?count}", "?count=one,two,three"),
        ("{?count*}", "?count=one&count=two&count=three"), ("{&count*}", "&count=one&count=two&count=three"),
    ])
    func variableExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{var}", "value"), ("{hello}", "Hello%20World%21"), ("{half}", "50%25"), ("O{empty}X", "OX"),
        ("O{undef}X", "OX"), ("{x,y}", "1024,768"), ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("?{x,empty}", "?1024,"), ("?{x,undef}", "?1024"), ("?{undef,y}", "?768"), ("{var:3}", "val"),
        ("{var:30}", "value"), ("{list}", "red,green,blue"), ("{list*}", "red,green,blue"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"), ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
    ])
    func simpleExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{+var}", "value"), ("{+hello}", "Hello%20World!"), ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"), ("{+base}index", "http://example.com/home/index"),
        ("O{+empty}X", "OX"), ("O{+undef}X", "OX"), ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"), ("up{+path}{var}/here", "up/foo/barvalue/here"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"), ("{+path,x}/here", "/foo/bar,1024/here"),
        ("{+path:6}/here", "/foo/b/here"), ("{+list}", "red,green,blue"), ("{+list*}", "red,green,blue"),
        ("{+keys}", "semi,;,dot,.,comma,,"), ("{+keys*}", "semi=;,dot=.,comma=,"),
    ])
    func reservedExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{#var}", "#value"), ("{#hello}", "#Hello%20World!"), ("{#half}", "#50%25"), ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"), ("{#x,hello,y}", "#1024,Hello%20World!,768"), ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("{#path:6}/here", "#/foo/b/here"), ("{#list}", "#red,green,blue"), ("{#list*}", "#red,green,blue"),
        ("{#keys}", "#semi,;,dot,.,comma,,"), ("{#keys*}", "#semi=;,dot=.,comma=,"),
    ])
    func fragmentExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{.who}", ".fred"), ("{.who,who}", ".fred.fred"), ("{.half,who}", ".50%25.fred"),
        ("www{.dom*}", "www.example.com"), ("X{.var}", "X.value"), ("X{.empty}", "X."), ("X{.undef}", "X"),
        ("X{.var:3}", "X.val"), ("X{.list}", "X.red,green,blue"), ("X{.list*}", "X.red.green.blue"),
        ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"), ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
        ("X{.empty_keys}", "X"), ("X{.empty_keys*}", "X"),
    ])
    func labelExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{/who}", "/fred"), ("{/who,who}", "/fred/fred"), ("{/half,who}", "/50%25/fred"), ("{/who,dub}", "/fred/me%2Ftoo"),
        ("{/var}", "/value"), ("{/var,empty}", "/value/"), ("{/var,undef}", "/value"), ("{/var,x}/here", "/value/1024/here"),
        ("{/var:1,var}", "/v/value"), ("{/list}", "/red,green,blue"), ("{/list*}", "/red/green/blue"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"), ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
    ])
    func segmentExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{;who}", ";who=fred"), ("{;half}", ";half=50%25"), ("{;empty}", ";empty"), ("{;v,empty,who}", ";v=6;empty;who=fred"),
        ("{;v,bar,who}", ";v=6;who=fred"), ("{;x,y}", ";x=1024;y=768"), ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;x,y,undef}", ";x=1024;y=768"), ("{;hello:5}", ";hello=Hello"), ("{;list}", ";list=red,green,blue"),
        ("{;list*}", ";list=red;list=green;list=blue"), ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
    ])
    func parameterExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{?who}", "?who=fred"), ("{?half}", "?half=50%25"), ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="), ("{?x,y,undef}", "?x=1024&y=768"), ("{?var:3}", "?var=val"),
        ("{?list}", "?list=red,green,blue"), ("{?list*}", "?list=red&list=green&list=blue"),
        ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"), ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("{?empty_keys*}", ""), ("{?no_items}", ""), ("{?undef,x}", "?x=1024"),
    ])
    func queryExpansion(template: String, expected: String) throws { try expect(template, expected) }

    @Test(arguments: [
        ("{&who}", "&who=fred"), ("{&half}", "&half=50%25"), ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="), ("{&x,y,undef}", "&x=1024&y=768"), ("{&var:3}", "&var=val"),
        ("{&list}", "&list=red,green,blue"), ("{&list*}", "&list=red&list=green&list=blue"),
        ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"), ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
    ])
    func continuationExpansion(template: String, expected: String) throws { try expect(template, expected) }

    private func expect(_ template: String, _ expected: String) throws {
        #expect(try URITemplate(template).expand(Self.variables) == expected)
    }

    @Test(arguments: [
        ("a%2Fb", "{+v}", "a%2Fb"), ("a%2Fb", "{v}", "a%252Fb"), ("100%", "{+v}", "100%25"), ("%zz", "{#v}", "#%25zz"),
        ("a%20bc", "{+v:2}", "a%20"), ("é中e\u{301}", "{v:2}", "%C3%A9%E4%B8%AD"), ("é中", "{+v:1}", "%C3%A9"),
        ("👨‍👩‍👧", "{v:1}", "%F0%9F%91%A8"), ("a\u{0}\r\n\u{7F}", "{v}", "a%00%0D%0A%7F"), ("\r\n", "{+v}", "%0D%0A"),
        ("\\..", "{+v}", "%5C.."), ("", "{?v}", "?v="), ("", "{v}", ""),
    ])
    func charactersAreEncodedAsTheOperatorSays(value: String, template: String, expected: String) throws {
        #expect(try URITemplate(template).expand(["v": .string(value)]) == expected)
    }

    @Test func aPairNameCannotSmuggleReservedCharactersIntoAQuery() throws {
        let template = try URITemplate("{?v*}")
        #expect(try template.expand(["v": ["a&b=c#": "1"]]) == "?a%26b%3Dc%23=1")
    }

    @Test(arguments: [
        ("/straße/中", "/stra%C3%9Fe/%E4%B8%AD"), ("/a%20b", "/a%20b"), ("https://api.example/it's/(x)", "https://api.example/it's/(x)"),
        ("", ""), ("/vars/:var", "/vars/:var"), ("[2001:db8::1]", "[2001:db8::1]"),
    ])
    func literalsOutsideASCIIAreEncoded(template: String, expected: String) throws {
        #expect(try URITemplate(template).expand([:]) == expected)
    }

    @Test(arguments: [
        ("{/id*", 1, "not closed"), ("/id*}", 5, "no opening brace"), ("{", 1, "not closed"), ("a{+", 2, "not closed"),
        ("{}", 2, "no name"), ("{?}", 3, "no name"), ("{/?id}", 3, "no name"), ("{var:prefix}", 6, "prefix length"),
        ("{var:}", 6, "prefix length"), ("{var:0}", 6, "prefix length"), ("{var:01}", 6, "prefix length"),
        ("{var:10000}", 6, "prefix length"), ("{hello:2*}", 9, "cannot hold"), ("{var*:2}", 6, "cannot hold"),
        ("{a b}", 3, "cannot hold"), ("{!x}", 2, "reserved"), ("{=x}", 2, "reserved"), ("{|x}", 2, "reserved"),
        ("{@x}", 2, "reserved"), ("{,x}", 2, "reserved"), ("{$x}", 2, "no name"), ("{x,}", 4, "no name"),
        ("{?x, y}", 5, "no name"), ("{x.}", 4, "ends with a dot"), ("{a..b}", 4, "ends with a dot"), ("{a-b}", 3, "cannot hold"),
        ("{~x}", 2, "no name"), ("{x{y}}", 3, "cannot hold"), ("/a b", 3, "space"), ("/a\"b", 3, "percent-encode"),
        ("/a|b", 3, "percent-encode"), ("/%zz", 2, "hexadecimal"), ("/%2", 2, "hexadecimal"), ("{a%2}", 3, "hexadecimal"),
        ("/a\r\nb", 3, "control"), ("é{x", 2, "not closed"), ("{ä}", 2, "no name"),
    ])
    func malformedTemplatesAreNamedWithPositionAndReason(template: String, position: Int, reason: String) {
        let error = #expect(throws: TarmacError.self) { try URITemplate(template) }
        #expect(error?.code == .invalidURL)
        #expect(error?.reason.contains("at character \(position):") == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains { $0.isNewline } == false)
    }

    @Test(arguments: ["{keys:1}", "{+keys:1}", "{;list:3}"])
    func aPrefixOfSeveralValuesIsRefused(template: String) throws {
        let template = try URITemplate(template)
        let error = #expect(throws: TarmacError.self) { try template.expand(Self.variables) }
        #expect(error?.code == .invalidParameter)
    }

    @Test func variableNamesComeInOrderAndOnce() throws {
        let template = try URITemplate("https://{tenant}.x/{b}{?a,b,c.d*,Some%20Thing:3}")
        #expect(template.variableNames == ["tenant", "b", "a", "c.d", "Some%20Thing"])
    }

    @Test func theExpansionNamesTheVariablesThatHadAValue() throws {
        let values: [String: TemplateValue] = ["a": "1", "b": []]
        let expansion = try URITemplate("/{a}{?b*,c}").expand { values[$0] }
        #expect(expansion.string == "/1")
        #expect(expansion.variables == ["a", "b"])
    }

    @Test func templatesAreEqualByTheirText() throws {
        #expect(try URITemplate("/{a}") == URITemplate("/{a}"))
        #expect(try URITemplate("/{a}") != URITemplate("/{b}"))
    }
}
