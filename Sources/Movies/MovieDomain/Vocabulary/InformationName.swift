/// Names of facts about films and apps, for tables.
package enum InformationName: String, CaseIterable, Sendable {
    case originalTitle
    case directors
    case writers
    case genres
    case releaseDate
    case productionYear
    case runtime
    case countries
    case certificate
    case certificates
    case status
    case type
    case screeningTypes
    case sound
    case color
    case spokenLanguages
    case productionCompanies
    case coProductionCompanies
    case distributors
    case coDistributors
    case presenters
    case coPresenters
    case importers
    case salesCompanies
    case productionSupport
    case publicity
    case marketing
    case companies
    case collection
    case budget
    case revenue
    case boxOffice
    case awards
    case keywords
    case seasons
    case discRelease
    case homepage
    case preview
    case price
    case hdPrice
    case rentalPrice
    case hdRentalPrice
    case collectionPrice
    case provider
    case size
    case category
    case compatibility
    case languages
    case ageRating
    case version

    /// The label in the first preferred language of Korean, English and Japanese, else in English.
    package func label(in language: LanguagePreference) -> String { self.labels.text(in: language) }

    private var labels: LocalisedName {
        switch self {
        case .originalTitle: LocalisedName("원제", "Original title", "原題")
        case .directors: LocalisedName("감독", "Directors", "監督")
        case .writers: LocalisedName("각본", "Writers", "脚本")
        case .genres: LocalisedName("장르", "Genres", "ジャンル")
        case .releaseDate: LocalisedName("개봉일", "Release date", "公開日")
        case .productionYear: LocalisedName("제작 연도", "Production year", "製作年")
        case .runtime: LocalisedName("상영 시간", "Runtime", "上映時間")
        case .countries: LocalisedName("제작 국가", "Countries", "製作国")
        case .certificate: LocalisedName("관람 등급", "Certificate", "レーティング")
        case .certificates: LocalisedName("관람 등급 이력", "Certificates", "レーティング履歴")
        case .status: LocalisedName("상태", "Status", "状態")
        case .type: LocalisedName("유형", "Type", "種類")
        case .screeningTypes: LocalisedName("상영 형태", "Formats", "上映形式")
        case .sound: LocalisedName("음향", "Sound", "音声")
        case .color: LocalisedName("색채", "Color", "色彩")
        case .spokenLanguages: LocalisedName("사용 언어", "Spoken languages", "言語")
        case .productionCompanies: LocalisedName("제작사", "Production companies", "製作会社")
        case .coProductionCompanies: LocalisedName("공동 제작", "Co-production", "共同製作")
        case .distributors: LocalisedName("배급사", "Distributors", "配給")
        case .coDistributors: LocalisedName("공동 배급", "Co-distribution", "共同配給")
        case .presenters: LocalisedName("제공", "Presented by", "提供")
        case .coPresenters: LocalisedName("공동 제공", "Co-presented by", "共同提供")
        case .importers: LocalisedName("수입사", "Importers", "輸入")
        case .salesCompanies: LocalisedName("해외 세일즈", "International sales", "海外販売")
        case .productionSupport: LocalisedName("제작 지원", "Production support", "製作支援")
        case .publicity: LocalisedName("홍보", "Publicity", "宣伝")
        case .marketing: LocalisedName("마케팅", "Marketing", "マーケティング")
        case .companies: LocalisedName("참여사", "Companies", "その他の会社")
        case .collection: LocalisedName("시리즈", "Collection", "シリーズ")
        case .budget: LocalisedName("제작비", "Budget", "製作費")
        case .revenue: LocalisedName("수익", "Revenue", "興行収入")
        case .boxOffice: LocalisedName("미국 흥행 수입", "US box office", "米国興行収入")
        case .awards: LocalisedName("수상", "Awards", "受賞")
        case .keywords: LocalisedName("키워드", "Keywords", "キーワード")
        case .seasons: LocalisedName("시즌", "Seasons", "シーズン")
        case .discRelease: LocalisedName("디스크 출시", "Disc release", "ディスク発売")
        case .homepage: LocalisedName("홈페이지", "Website", "ウェブサイト")
        case .preview: LocalisedName("예고편", "Preview", "プレビュー")
        case .price: LocalisedName("가격", "Price", "価格")
        case .hdPrice: LocalisedName("HD 가격", "HD price", "HD価格")
        case .rentalPrice: LocalisedName("대여 가격", "Rental price", "レンタル価格")
        case .hdRentalPrice: LocalisedName("HD 대여 가격", "HD rental price", "HDレンタル価格")
        case .collectionPrice: LocalisedName("시리즈 가격", "Collection price", "シリーズ価格")
        case .provider: LocalisedName("제공자", "Provider", "販売元")
        case .size: LocalisedName("크기", "Size", "サイズ")
        case .category: LocalisedName("카테고리", "Category", "カテゴリ")
        case .compatibility: LocalisedName("호환성", "Compatibility", "互換性")
        case .languages: LocalisedName("언어", "Languages", "言語")
        case .ageRating: LocalisedName("연령 등급", "Age rating", "年齢制限")
        case .version: LocalisedName("버전", "Version", "バージョン")
        }
    }
}
