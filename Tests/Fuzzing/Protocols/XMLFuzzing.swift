@testable import MovieCompatibility
@testable import ObjectStorage

extension FuzzTarget {
    /// Documents of object stores.
    static let xml = FuzzTarget(
        "xml",
        words: [
            "<", "</", "/>", ">", "<?", "?>", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE", "&amp;", "&lt;", "&#x41;",
            "&#65;",
            "&#+1;", "&", ";", "=\"", "'", "a:", "ListBucketResult", "Contents", "Key", "Size", "IsTruncated", "true",
            "NextContinuationToken", "Error", "Code", "NoSuchKey",
        ],
        seeds: [
            "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"http://s3\"><IsTruncated>true</IsTruncated><Contents><Key>a&amp;b"
                + "</Key><Size>12</Size></Contents><NextContinuationToken>x</NextContinuationToken></ListBucketResult>",
            "<Error><Code>NoSuchKey</Code><Message><![CDATA[ a ]]></Message></Error>", "<a b='>'/>",
            "<a:b><!-- c --></a:b>",
        ]
    ) { bytes in
        if let page = try? BucketPage(document: bytes) {
            check(page.entries.count <= BucketPage.entryLimit, "a page has too many entries")
        }
        _ = ErrorDocument(bytes)
        var reader = XMLReader(bytes)
        var (depth, events) = (0, 0)
        var texts = ""
        do throws(XMLReader.Malformed) {
            while let event = try reader.next() {
                events += 1
                switch event {
                case .start: depth += 1
                case .text(let text): texts += text
                case .end: depth -= 1
                }
                check((0...XMLReader.depthLimit).contains(depth), "the depth is \(depth)")
                check(events <= 2 * bytes.count, "the document has more events than bytes")
            }
            check(depth == 0, "the document ends within an element")
        } catch {
            return
        }
        // Texts that XML can express are read back.
        var copy = XMLReader(Array("<a>\(DocumentXML.escape(texts))</a>".utf8))
        guard case .start? = try? copy.next() else { return check(false, "the copy has no start tag") }
        let allowed = String(String.UnicodeScalarView(texts.unicodeScalars.filter(isAllowed)))
        if case .text(let text)? = try? copy.next() { check(text.utf8.elementsEqual(allowed.utf8), "the text differs") }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF || [9, 10, 13].contains(scalar.value)
    }
}
