import Testing

@testable import MovieDomain

/// Rows of imported files.
struct ImportRowTests {
    @Test func aWatchlistOfLetterboxdIsRead() throws {
        let file = """
            Date,Name,Year,Letterboxd URI
            2024-05-05,"Me, You",1995,https://boxd.it/1
            2024-05-06,Heat,,https://boxd.it/2
            """
        let rows = try #require(ImportRows(csv: file)).rows
        #expect(rows.map(\.titles) == [["Me, You"], ["Heat"]] && rows.map(\.year) == [1995, nil])
        #expect(rows.map(\.text) == ["Me, You (1995)", "Heat"] && rows.allSatisfy(\.ids.isEmpty))
        #expect(rows[0].addedAt?.description == "2024-05-05T00:00:00Z")
    }

    @Test func aListOfLetterboxdHasAPreamble() throws {
        let file = """
            Letterboxd list export v7
            Date,Name,Tags,URL,Description
            2024-05-05,My list,,https://boxd.it/1,

            Position,Name,Year,URL,Description
            1,Ran,1985,https://boxd.it/2,
            2,Title,1999,https://boxd.it/3,
            """
        #expect(try #require(ImportRows(csv: file)).rows.map(\.text) == ["Ran (1985)", "Title (1999)"])
    }

    @Test func columnsAreFoundByTheirNames() throws {
        let file =
            "Original Title;TMDB-ID;imdbID;Title;id;addedAt\nRan;603;tt0133093;'=1;nosferatu-1922;2026-01-31\n"
        let row = try #require(ImportRows(csv: file)).rows[0]
        #expect(row.ids.map(\.description) == ["nosferatu-1922", "tmdb:603", "omdb:tt0133093"])
        #expect(row.titles == ["=1", "Ran"] && row.addedAt?.description == "2026-01-31T00:00:00Z")
        let imdb = try #require(ImportRows(csv: "Const,Created,Title,Year\ntt0113277,2020-01-01,Heat,1995")).rows[0]
        #expect(imdb.ids.map(\.description) == ["omdb:tt0113277"] && imdb.year == 1995)
    }

    @Test(arguments: [
        ("Title\nRan\nGood, Bad; Ugly\n", ["Ran", "Good, Bad; Ugly"]),
        ("\u{FEFF}\n\"Name\"\r\n\"Me, You\"\r\n", ["Me, You"]), ("title;year\nMe, You;1995", ["Me, You (1995)"]),
        ("My list\n\ntitle\tyear\nMe, You\t1995", ["Me, You (1995)"]),
    ])
    func theHeadingsDecideOnTheSeparator(text: String, films: [String]) throws {
        #expect(try #require(ImportRows(csv: text)).rows.map(\.text) == films)
    }

    @Test func rowsWithoutAFilmSayWhatTheyHave() throws {
        let rows = try #require(ImportRows(csv: "title,year,note\n,1995,a film\nx,19,\n")).rows
        #expect(rows[0].isEmpty && rows[0].text.contains("a film"))
        #expect(rows[1].year == nil && !rows[1].isEmpty)
    }

    @Test(arguments: ["", "Heat\nRan", "a,b\n1,2"])
    func aFileNeedsNamesOfColumns(text: String) {
        #expect(ImportRows(csv: text) == nil)
    }

    @Test func longFilesAreCut() throws {
        let rows = try #require(ImportRows(csv: "title\n" + String(repeating: "Heat\n", count: ImportRows.limit + 20)))
        #expect(rows.rows.count == ImportRows.limit && rows.omittedCount == 20)
    }

    @Test func rowsAreWrittenForAnotherImport() throws {
        let rows = [
            ImportRow(
                id: "ran-1985", tmdbID: "11645", imdbID: "tt0089881", titles: ["-30-", "Ran"], year: "1985",
                date: "2024-05-05"),
            ImportRow(titles: ["a,b"]),
        ]
        #expect(ImportRows(csv: ImportRows.csv(of: rows))?.rows == rows)
    }

    @Test func filmsWithTheNamesOfColumnsAreNoHeadings() {
        let rows = [
            ImportRow(titles: ["Heat"]), ImportRow(titles: ["Title", "Year"]), ImportRow(titles: ["Name", "ID"]),
        ]
        #expect(ImportRows(csv: ImportRows.csv(of: rows))?.rows == rows)
    }

    @Test(arguments: [
        "2024-05-05T10:00:00+09:00", "2024-13-01", "yesterday", "2024-05-05T25:00:00Z", "2024-05-05x",
        "1999-12-31T23:59:59Z", "0001-01-01",
    ])
    func otherTimesAreUnknown(text: String) {
        #expect(ImportRow(titles: ["Heat"], date: text).addedAt == nil)
    }

    private func film(_ id: String, _ title: String, _ year: Int) throws -> MovieSummary {
        let id = try #require(MovieID(id))
        return try #require(MovieSummary(id: id, title: title, year: year))
    }

    @Test func matchesHaveTheTitleAndAboutTheYear() throws {
        let films = [
            try self.film("a", "King Kong", 1933), try self.film("b", "King-Kong!", 1976),
            try self.film("c", "Kong", 1933), try self.film("d", "king kong", 1934),
        ]
        let found = { (year: String?) -> [String] in
            ImportRow(titles: ["King Kong"], year: year).matches(among: films + films).map(\.id.key)
        }
        #expect(found("1933") == ["a"] && found("1932") == ["a"] && found("1975") == ["b"])
        #expect(found("1950").isEmpty && found(nil) == ["a", "b", "d"])
    }
}
