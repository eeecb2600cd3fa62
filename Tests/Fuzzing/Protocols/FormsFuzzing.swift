import MovieDomain
import Mustache

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieWeb

extension FuzzTarget {
    /// Forms, imported lists and texts in templates; the first byte chooses the kind.
    static let forms = FuzzTarget(
        "forms",
        words: [
            "id", "tmdbID", "imdbID", "title", "Name", "originalTitle", "year", "Date", "addedAt", "Const", "films",
            "favourites", ",", ";",
            "\t", "\r\n", "\"", "\"\"", "\u{FEFF}", "{", "}", "[", "]", ":", "tmdb:603", "tt0133093", "2024-01-01",
            "2024-01-01T00:00:00Z",
            "&", "=", "+", "%20", "return", "language", "/", "//", "\\", "#", "?", "<", ">", "'", "{{", "}}", "{{{",
            "\u{301}", "\u{200D}", "=1+1",
        ],
        seeds: [
            "0return=%2Ffilms%2F603&language=ko&id=tmdb%3A603",
            "1id,tmdbID,imdbID,title,originalTitle,year,addedAt\r\ntmdb:603,603,,The Matrix,,1999,2024-01-01T00:00:00Z\r\n",
            "1Letterboxd\r\nDate,Name,Year\r\n2024-01-01,\"Heat, \"\"x\"\"\",1995\r\n", "1Title\r\nHeat; or\r\n",
            "1Const;Title\r\ntt0113277;Heat\r\n",
            "1{\"films\":[{\"id\":\"tmdb:603\",\"title\":\"x\",\"year\":1999,\"addedAt\":\"2024-01-01\"},\"tmdb:604\"]}",
            "1[\"tmdb:603\"]",
            "2/films/603?a=b&language=ko#x", "3<b>\"x\"'&\u{301}",
        ]
    ) { bytes in
        var input = FuzzInput(bytes)
        switch input.byte() & 3 {
        case 0: _ = try? FormBody(input.text(), known: ["return", "language", "id"])
        case 1: importList(input.text())
        case 2:
            guard let path = ReturnPath(input.text()) else { return }
            _ = path.parameter("language")
            let longer = path.adding("done", "1").description
            check(longer.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a path is not ASCII")
        default: render(input.text())
        }
    }

    /// The rows of a list are read back from its table.
    private static func importList(_ text: String) {
        guard let rows = FilmListFile.rows(text, list: "favourites") else { return }
        check(rows.rows.count <= ImportRows.limit, "too many rows")
        for row in rows.rows { check(row.text.utf8.count <= ImportRow.textBytes, "a row's text is too long") }
        let table = ImportRows.csv(of: rows.rows)
        guard let again = ImportRows(csv: table) else { return check(false, "a table is not read back") }
        let named = rows.rows.filter { !$0.ids.isEmpty || !$0.titles.isEmpty }
        check(again.rows.count >= named.count, "a table lost rows")
    }

    /// A text in a template adds no markup.
    private static func render(_ text: String) {
        MustacheContentTypes.register(ScalarHTML(), named: ScalarHTML.name)
        let source = "{{% CONTENT_TYPE: \(ScalarHTML.name)}}<a title=\"{{text}}\">{{#list}}<i>{{.}}</i>{{/list}}</a>"
        guard let template = try? MustacheTemplate(string: source) else { return check(false, "no template") }
        let html = template.render(["text": text, "list": [text, text]] as [String: Any])
        let marks = html.utf8.count { "<>\"".utf8.contains($0) }
        check(marks == 4 + 2 + 8, "a text adds markup: \(html)")
    }
}
