"""Scrapy as its documentation advises for broad crawls, with its frontier on disk (JOBDIR): robots.txt is obeyed, links are
followed within the hosts of the seeds, one request of a host at a time. Nothing of a page is kept or compared.

scrapy runspider crawl_spider.py -a seeds=FILE -s JOBDIR=DIRECTORY -s CONCURRENT_REQUESTS=32
"""

from urllib.parse import urlsplit

import scrapy
from scrapy.linkextractors import LinkExtractor


class CrawlSpider(scrapy.Spider):
    name = "crawl"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, seeds, **others):
        super().__init__(**others)
        with open(seeds, encoding="utf-8") as lines:
            self.start_urls = lines.read().split()
        self.allowed_domains = sorted({urlsplit(url).hostname for url in self.start_urls})
        self.links = LinkExtractor()

    def parse(self, response):
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)
