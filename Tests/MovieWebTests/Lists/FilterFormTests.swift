import MovieDomain
import Testing

@testable import MovieWeb

struct FilterFormTests {
    private static let all = Set(FilmFilter.Field.allCases)
    private static let year = 2026

    private let resources: WebResources
    private let templates: TemplateLibrary

    init() throws {
        self.resources = try WebResources()
        self.templates = try TemplateLibrary(self.resources.templates, texts: self.resources.texts)
    }

    private func form(
        _ filter: FilmFilter = FilmFilter(), by fields: Set<FilmFilter.Field> = Self.all,
        choices: FilterChoices? = nil, in code: String = "en"
    ) throws -> FilterForm {
        let language = try #require(Language(code))
        return FilterForm(
            filter, by: fields, choices: choices, year: Self.year, language: LanguagePreference([language]),
            text: PageFormats(table: self.resources.texts, language: language))
    }

    private func html(_ form: FilterForm, in code: String = "en") throws -> String {
        self.templates.render("filters", form.model, in: try #require(Language(code))).description
    }

    /// The labels of a field's options, in order.
    private func options(_ name: String, _ html: String) throws -> [String] {
        let start = try #require(html.firstRange(of: "<select id=\"f-\(name)\"")).upperBound
        let end = try #require(html[start...].firstRange(of: "</select>")).lowerBound
        return html[start..<end].matches(of: />([^<>]+)<\/option>/).map { String($0.output.1) }
    }

    private func chosen(_ html: String) -> [String] {
        html.matches(of: /<option value="([^"]*)" selected>/).map { String($0.output.1) }
    }

    @Test func withoutAFilterEveryFieldIsOfAny() throws {
        let form = try self.form()
        let html = try self.html(form)
        #expect(self.chosen(html) == ["", "", "", "popularity"])
        #expect(form.chosen.isEmpty && !form.isChanged)
    }

    @Test func whatIsChosenIsSelectedAndNamed() throws {
        let filter = FilmFilter(genres: [.horror], years: 1920...1929, country: .korea, sort: .oldest)
        let form = try self.form(filter)
        #expect(self.chosen(try self.html(form)) == ["horror", "1920", "KR", "oldest"])
        #expect(form.chosen == ["Horror", "1920s", "South Korea"])
        #expect(form.isChanged)
    }

    @Test(
        "names are in the reader's language",
        arguments: [("ko", "공포", "1920년대", "대한민국"), ("ja", "ホラー", "1920年代", "韓国")])
    func languages(code: String, genre: String, decade: String, country: String) throws {
        let filter = FilmFilter(genres: [.horror], years: 1920...1929, country: .korea)
        let form = try self.form(filter, in: code)
        #expect(form.chosen == [genre, decade, country])
        let html = try self.html(form, in: code)
        #expect(try self.options("genre", html).contains(genre))
        #expect(try self.options("country", html).contains(country))
    }

    @Test func aCatalogueThatSaysWhatItHasIsOfferedNothingElse() throws {
        let language = LanguagePreference([.english])
        let choices = FilterChoices(
            genres: [Genre(.war, in: language), Genre(.comedy, in: language)], decades: [1960, 1900],
            countries: [.unitedStates, .korea])
        let html = try self.html(try self.form(choices: choices))
        #expect(try self.options("genre", html) == ["Any genre", "Comedy", "War"])
        #expect(try self.options("decade", html) == ["Any decade", "1960s", "1900s"])
        #expect(try self.options("country", html) == ["Any country", "South Korea", "United States"])
    }

    @Test func elseDecadesReachFromTheFirstFilmsToThisYear() throws {
        let html = try self.html(try self.form())
        let decades = try self.options("decade", html)
        #expect(decades.count == 15 && decades[1] == "2020s" && decades.last == "1890s")
        let countries = try self.options("country", html).dropFirst()
        #expect(countries.count == 24 && Array(countries) == countries.sorted())
        #expect(try self.options("genre", html).count == GenreID.allCases.count + 1)
    }

    @Test func whatAnAddressAsksForIsOfferedEvenIfTheCatalogueHasNoneOfIt() throws {
        let filter = FilmFilter(
            genres: [.horror, .war], years: 1880...1889, country: Country(code: "IS"), sort: .popularity)
        let choices = FilterChoices(genres: [], decades: [1960], countries: [.korea])
        let html = try self.html(try self.form(filter, choices: choices))
        #expect(self.chosen(html) == ["horror,war", "1880", "IS", "popularity"])
        #expect(try self.options("genre", html) == ["Any genre", "Horror, War"])
    }

    @Test func fieldsThatTheCatalogueCannotChooseByAreLeftOut() throws {
        let html = try self.html(try self.form(by: [.genre]))
        #expect(html.contains("id=\"f-genre\"") && html.contains("id=\"f-sort\""))
        #expect(!html.contains("id=\"f-decade\"") && !html.contains("id=\"f-country\""))
    }

    @Test func aKeywordStaysWhenTheFormIsSent() throws {
        let html = try self.html(try self.form(FilmFilter(keyword: "tmdb:818")))
        #expect(html.contains("<input type=\"hidden\" name=\"keyword\" value=\"tmdb:818\">"))
        #expect(try !self.html(try self.form()).contains("keyword"))
    }

    @Test func everyControlHasALabelOfItsOwn() throws {
        let html = try self.html(try self.form())
        let labels = html.matches(of: /<label for="([^"]+)"/).map { String($0.output.1) }
        let controls = html.matches(of: /<select id="([^"]+)"/).map { String($0.output.1) }
        #expect(labels == controls && Set(controls).count == 4)
    }
}
