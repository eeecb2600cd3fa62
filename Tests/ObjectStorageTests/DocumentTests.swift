import Testing

@testable import ObjectStorage

struct DocumentTests {
    private func events(_ text: String) throws -> [XMLReader.Event] {
        var reader = XMLReader(Array(text.utf8))
        var events: [XMLReader.Event] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    @Test func elementsAndTextsAreReadAndTheRestIsSkipped() throws {
        let text = """
            <?xml version="1.0"?>
            <!-- a > b --><s:a x="1>2" y='"'><b/>t &lt;&amp;&gt;&quot;&apos; &#233;&#x1F600;<c><![CDATA[<raw>]]></c></s:a>
            """
        #expect(
            try self.events(text) == [
                .start("a"), .start("b"), .end, .text("t <&>\"' é😀"), .start("c"), .text("<raw>"), .end, .end,
            ])
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a>&b;</a>", "<a>&#xD800;</a>", "<a>&amp</a>", "<a>", "<a></b>",
        "</a>", "<a", "<a x='>", "<>", "<a><!-- ", "<a><![CDATA[x</a>", "<?xml",
        String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
    ])
    func whatIsNoSuchDocumentIsRefused(text: String) {
        #expect(throws: XMLReader.Malformed.self) { try self.events(text) }
    }

    @Test func cutDocumentsNeverTrap() throws {
        let whole = Array("<?xml version=\"1.0\"?><a b=\"c\">x&amp;<!--d--><e/><![CDATA[f]]></a>".utf8)
        for count in 0..<whole.count {
            var reader = XMLReader(Array(whole[..<count]))
            while (try? reader.next()) != nil {}
        }
    }

    @Test func aPageHasItsObjectsAndTheWayToTheNext() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><IsTruncated>true</IsTruncated>
            <NextContinuationToken>1ueG&amp;=</NextContinuationToken><KeyCount>2</KeyCount>
            <Contents><Key>p/a&amp;b</Key><ETag>"x"</ETag><Size>12</Size><Owner><ID>1</ID></Owner></Contents>
            <Contents><Size>0</Size><Key>p/c</Key></Contents><CommonPrefixes><Prefix>q</Prefix></CommonPrefixes>
            </ListBucketResult>
            """
        var page = try BucketPage(document: Array(text.utf8))
        #expect(page.entries == [.init(key: "p/a&b", size: 12), .init(key: "p/c", size: 0)])
        #expect(page.continuation == "1ueG&=")
        page = try BucketPage(document: Array("<ListBucketResult></ListBucketResult>".utf8))
        #expect(page == BucketPage.empty)
    }

    @Test(arguments: [
        "<Error><Code>x</Code></Error>", "<html/>",
        "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    ])
    func whatIsNoListIsRefused(text: String) {
        #expect(throws: XMLReader.Malformed.self) { try BucketPage(document: Array(text.utf8)) }
    }

    @Test func aCodeIsReadAlsoOfADocumentThatIsCut() {
        func code(_ text: String) -> String { ErrorDocument(Array(text.utf8)).code }
        #expect(code("<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Mess") == "NoSuchKey")
        #expect(code("<Error><Message>m</Message><Code>SlowDown</Code></Error>") == "SlowDown")
        #expect(code("<html><title>Bad gateway</title></html>") == "")
        #expect(code("<Error><Code>no word\n</Code></Error>") == "" && code("") == "" && code("x") == "")
    }
}
