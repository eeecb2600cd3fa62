import MovieDomain

extension StoreResource.App {
    /// - Returns: nil for what makes no app.
    func app(
        in language: LanguagePreference, categories: [String: [String: String]],
        posters: [String: CatalogueResource.Poster]
    ) -> StoreApp? {
        let text = { (texts: [String: String]) in language.choice(from: texts, original: .korean)?.text ?? "" }
        guard let id = StoreAppID(source: .embedded, key: self.id) else { return nil }
        return StoreApp(
            id: id, name: text(self.names),
            icon: posters[self.icon].map { PosterReference($0.location, size: $0.size) },
            category: text(categories[self.category] ?? [:]), price: self.price,
            formattedPrice: self.price == 0 ? "GET" : "₩" + Self.grouped(Int(self.price)), currency: "KRW",
            averageRating: self.rating?.average, ratingCount: self.rating?.count ?? 0,
            screenshots: self.screenshots.compactMap { posters[$0] }.map {
                GalleryPicture(kind: .screenshot, location: $0.location, size: $0.size)
            }, contentRating: self.contentRating, languages: self.languages.compactMap { Language($0) },
            byteCount: self.byteCount, description: text(self.descriptions), releaseNotes: text(self.releaseNotes),
            version: self.version, releaseDate: CalendarDate(self.releaseDate), seller: self.seller,
            developer: self.developer, minimumOSVersion: self.minimumOSVersion)
    }

    /// With a comma before every three digits.
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.map { index in
            (index > 0 && (digits.count - index).isMultiple(of: 3) ? "," : "") + String(digits[index])
        }.joined()
    }
}

extension CatalogueResource.Poster {
    var location: PictureLocation { .packaged(file: self.file, version: self.sha256) }
    var size: PictureSize? { PictureSize(width: self.width, height: self.height) }
}
